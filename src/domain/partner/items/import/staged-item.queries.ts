import { type Kysely, sql } from 'kysely';
import type { Database, Tables } from '../../../tables.ts';
import type { ItemTypeValue } from '../item.table.ts';
import type { FileItem } from './item-file.ts';

interface StagedItemsTable {
  line: number;
  id: number | null;
  itemType: ItemTypeValue;
  nameEn: string;
  nameAr: string;
}

/** A transaction with the rows of a file beside the items. */
export type Staging = Kysely<Tables & { stagedItems: StagedItemsTable }>;

/** Makes a table for the rows of a file, which the end of the transaction drops. */
export async function createStagedItems(transaction: Database): Promise<Staging> {
  await transaction.schema
    .createTable('stagedItems')
    .temporary()
    .onCommit('drop')
    .addColumn('line', 'integer', (column) => column.primaryKey())
    .addColumn('id', 'integer')
    .addColumn('itemType', 'text', (column) => column.notNull())
    .addColumn('nameEn', 'text', (column) => column.notNull())
    .addColumn('nameAr', 'text', (column) => column.notNull())
    .execute();
  return transaction.withTables<{ stagedItems: StagedItemsTable }>();
}

export async function stageItems(staging: Staging, items: FileItem[]): Promise<void> {
  await sql`insert into staged_items (line, id, item_type, name_en, name_ar) select * from unnest(
    ${items.map((item) => item.line)}::integer[],
    ${items.map((item) => item.id)}::integer[],
    ${items.map((item) => item.itemType)}::text[],
    ${items.map((item) => item.nameEn)}::text[],
    ${items.map((item) => item.nameAr)}::text[]
  )`.execute(staging);
}

/** Tells the planner what was staged, as nothing else does within the transaction. */
export async function analyzeStagedItems(staging: Staging): Promise<void> {
  await sql`analyze staged_items`.execute(staging);
}

/** How many rows there are, those of an item that the company has, and those without an id; the line of the last one. */
export async function countStagedItems(
  staging: Staging,
  companyId: number,
): Promise<{ total: number; existing: number; unnamed: number; lastLine: number }> {
  return staging
    .selectFrom('stagedItems')
    .leftJoin('items', (join) => join.onRef('items.id', '=', 'stagedItems.id').on('items.companyId', '=', companyId))
    .select([
      sql<number>`count(*)::integer`.as('total'),
      sql<number>`count(items.id)::integer`.as('existing'),
      sql<number>`(count(*) - count(staged_items.id))::integer`.as('unnamed'),
      sql<number>`coalesce(max(line), 0)`.as('lastLine'),
    ])
    .executeTakeFirstOrThrow();
}
