import { sql } from 'kysely';
import { anyOf } from '../../../platform/database/any-of.ts';
import { type FileRecord, id, name, oneOf } from '../../import/columns.ts';
import type { Mistakes } from '../../import/mistakes.ts';
import {
  advanceSequence,
  fileRows,
  type ImportOptions,
  inBatches,
  lockTable,
  rejectRepeatedIds,
} from '../../import/rows.ts';
import { type Database, itemTypes } from '../../tables.ts';

/** The columns of a file of items. An item without an id gets the next free one. */
export const itemFileColumns = {
  id: id.nullable(),
  item_type: oneOf(itemTypes),
  name_en: name(),
  name_ar: name(),
};

type FileItem = FileRecord<typeof itemFileColumns>;

/** Writes items of a file in a transaction; throws before writing when there is any mistake. */
export async function importItems(
  transaction: Database,
  records: FileItem[],
  mistakes: Mistakes,
  options: ImportOptions,
): Promise<{ added: number; changed: number; unchanged: number }> {
  if (!options.dryRun) await lockTable(transaction, 'items');
  rejectRepeatedIds(records, mistakes);
  const known = await rejectTakenIds(transaction, records, mistakes, options);
  await rejectRepeatedItems(transaction, records, mistakes, options);
  mistakes.ensureNone();
  const unchanged = records.filter((record) => {
    const item = known.get(record.id ?? 0);
    return record.item_type === item?.itemType && record.name_en === item.nameEn && record.name_ar === item.nameAr;
  }).length;
  const counts = { added: records.length - known.size, changed: known.size - unchanged, unchanged };
  if (options.dryRun) return counts;

  const items = await giveIds(transaction, records);
  await inBatches(items, options, async (batch) => {
    await sql`
      insert into items (id, company_id, item_type, name_en, name_ar)
      select id, ${options.company}, item_type, name_en, name_ar from ${fileRows('items', batch)}
      on conflict (company_id, id) do update
        set item_type = excluded.item_type, name_en = excluded.name_en, name_ar = excluded.name_ar
        where (items.item_type, items.name_en, items.name_ar)
          is distinct from (excluded.item_type, excluded.name_en, excluded.name_ar)`.execute(transaction);
  });
  await advanceSequence(transaction, 'items');
  return counts;
}

// Returns the items, by id, that have an id of the records.
async function rejectTakenIds(
  transaction: Database,
  records: FileItem[],
  mistakes: Mistakes,
  { company, update }: ImportOptions,
) {
  const ids = anyOf(records.flatMap((item) => item.id ?? []));
  const items = await transaction
    .selectFrom('items')
    .select(['id', 'companyId', 'itemType', 'nameEn', 'nameAr'])
    .where('id', '=', ids)
    .execute();
  const taggings = await transaction
    .selectFrom('productTaggings')
    .select('itemId')
    .distinct()
    .where('companyId', '=', company)
    .where('itemId', '=', ids)
    .execute();
  const known = new Map(items.map((item) => [item.id, item]));
  const tagged = new Set(taggings.map(({ itemId }) => itemId));
  for (const { id, line, item_type } of records) {
    const item = known.get(id ?? 0);
    if (item === undefined) continue;
    const reject = (column: string, message: string) => mistakes.add({ line, column, message: `${id} ${message}` });
    if (item.companyId !== company) reject('id', `is an item of another company (${item.companyId})`);
    else if (!update) reject('id', 'is an item already; --update changes existing items');
    else if (tagged.has(item.id) && item.itemType !== item_type)
      reject('item_type', 'is tagged, so it stays a product');
  }
  return known;
}

// Those of a file without ids that is imported for the second time.
async function rejectRepeatedItems(
  transaction: Database,
  records: FileItem[],
  mistakes: Mistakes,
  { company }: ImportOptions,
): Promise<void> {
  const unnamed = records.filter((item) => item.id === null);
  const { rows } = await sql<{ line: number; id: number }>`
    select line, min(items.id) as id
    from items join json_to_recordset(${JSON.stringify(unnamed)}::json)
      as file (line integer, item_type text, name_en text, name_ar text) using (item_type, name_en, name_ar)
    where company_id = ${company} group by line`.execute(transaction);
  for (const { line, id } of rows)
    mistakes.add({ line, message: `is the same as item ${id}; to add it, give it an id` });
}

// Those without an id get the ones after the highest that an item of the file or the database has or had.
async function giveIds(transaction: Database, records: FileItem[]): Promise<FileItem[]> {
  const { rows } = await sql<{ id: number }>`select
    greatest(max(id), pg_sequence_last_value(pg_get_serial_sequence('items', 'id')::regclass), 0)::integer as id
    from items`.execute(transaction);
  let last = records.reduce((highest, { id }) => Math.max(highest, id ?? 0), rows[0]?.id ?? 0);
  return records.map((item) => ({ ...item, id: item.id ?? ++last }));
}
