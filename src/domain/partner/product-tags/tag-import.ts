import { sql } from 'kysely';
import { type FileRecord, id, idList, name, optional } from '../../import/column.ts';
import type { Mistakes } from '../../import/mistakes.ts';
import { advanceSequence, batchesOf, lockTable, rejectRepeatedIds, rowsOf } from '../../import/rows.ts';
import type { Database } from '../../tables.ts';
import type { ItemTypeValue } from '../items/item.table.ts';
import { maxItems } from './product-tag.service.ts';
import { nameLength } from './product-tag-name.ts';

const shownIds = 10;

/** The columns of a file of tags. */
export const tagFileColumns = {
  id,
  name_en: name(nameLength),
  name_ar: optional(name(nameLength)),
  item_ids: optional(idList),
};

type FileTag = FileRecord<typeof tagFileColumns>;

interface Options {
  companyId: number;
  isTrial: boolean;
  signal: AbortSignal;
  onProgress(links: number): void;
}

/** Adds tags with their ids and items in a transaction; throws before writing when there is any mistake. */
export async function importTags(
  transaction: Database,
  records: FileTag[],
  mistakes: Mistakes,
  { companyId, isTrial, signal, onProgress }: Options,
): Promise<{ added: number; links: number }> {
  await lockTable(transaction, 'product_tags');
  rejectRepeatedIds(records, mistakes);
  await rejectTakenIds(transaction, records, mistakes);
  await rejectItems(transaction, records, mistakes, companyId);
  mistakes.ensureNone('Nothing was imported. Correct the file, then import it again.');

  for (const tags of batchesOf(records, signal)) {
    await sql`insert into product_tags (id, company_id, name_en, name_ar) select id, ${companyId}, name_en, name_ar
      from ${rowsOf(tags, { id: 'integer', name_en: 'text', name_ar: 'text' })}`.execute(transaction);
  }
  const links = records.flatMap((tag) =>
    (tag.item_ids ?? []).map((item) => ({ product_tag_id: tag.id, item_id: item })),
  );
  let written = 0;
  for (const batch of batchesOf(links, signal, 50_000)) {
    await sql`insert into product_taggings (company_id, product_tag_id, item_id) select ${companyId}, product_tag_id, item_id
      from ${rowsOf(batch, { product_tag_id: 'integer', item_id: 'integer' })}`.execute(transaction);
    written += batch.length;
    onProgress(written);
  }
  if (!isTrial) await advanceSequence(transaction, 'product_tags');
  return { added: records.length, links: links.length };
}

async function rejectTakenIds(transaction: Database, records: FileTag[], mistakes: Mistakes): Promise<void> {
  const { rows } = await sql<{ id: number; companyId: number }>`select id, company_id from product_tags
    where id in (select file.id from ${rowsOf(records, { id: 'integer' })})`.execute(transaction);
  const owners = new Map(rows.map((row) => [row.id, row.companyId]));
  for (const { id, line } of records) {
    const owner = owners.get(id);
    if (owner !== undefined)
      mistakes.add({ line, column: 'id', message: `${id} is a tag of company ${owner} already` });
  }
}

async function rejectItems(
  transaction: Database,
  records: FileTag[],
  mistakes: Mistakes,
  companyId: number,
): Promise<void> {
  const wanted = [...new Set(records.flatMap((tag) => tag.item_ids ?? []))].map((id) => ({ id }));
  const { rows } = await sql<{ id: number; itemType: ItemTypeValue }>`select id, item_type from items
    where company_id = ${companyId} and id in (select file.id from ${rowsOf(wanted, { id: 'integer' })})`.execute(
    transaction,
  );
  const types = new Map(rows.map((row) => [row.id, row.itemType]));
  for (const { item_ids, line } of records) {
    const reject = (message: string) => mistakes.add({ line, column: 'item_ids', message });
    const ids = item_ids ?? [];
    if (ids.length > maxItems) reject(`has ${ids.length} items; a tag may have ${maxItems}`);
    const unknown = ids.filter((item) => !types.has(item));
    const others = ids.filter((item) => types.has(item) && types.get(item) !== 'product');
    if (unknown.length > 0) reject(`not items of the company: ${listOf(unknown)}`);
    if (others.length > 0) reject(`only products can be tagged. Not products: ${listOf(others)}`);
  }
}

function listOf(ids: number[]): string {
  const more = ids.length - shownIds;
  return `${ids.slice(0, shownIds).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

interface TagRow {
  id: number;
  nameEn: string;
  nameAr: string | null;
  itemIds: number[];
}

/** All tags of a company with the ids of their items, by id and in pages. */
export async function* listAllTags(db: Database, companyId: number): AsyncGenerator<TagRow[]> {
  let after = 0;
  for (;;) {
    const { rows } = await sql<TagRow>`
      select id, name_en, name_ar, array(
        select item_id from product_taggings
        where product_taggings.company_id = ${companyId} and product_tag_id = product_tags.id order by item_id
      ) as item_ids
      from product_tags where company_id = ${companyId} and id > ${after} order by id limit 1000`.execute(db);
    if (rows.length === 0) return;
    yield rows;
    after = rows.at(-1)?.id ?? after;
  }
}
