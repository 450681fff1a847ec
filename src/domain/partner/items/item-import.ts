import { sql } from 'kysely';
import { StartError } from '../../../kernel/errors/start-error.ts';
import { anyOf } from '../../../platform/database/any-of.ts';
import { type FileRecord, id, name, oneOf } from '../../import/columns.ts';
import type { Mistakes } from '../../import/mistakes.ts';
import {
  advanceSequence,
  batchesOf,
  fileRows,
  type ImportOptions,
  lockTable,
  rejectRepeatedIds,
} from '../../import/rows.ts';
import { type Database, itemTypes } from '../../tables.ts';

const highestId = 2 ** 31 - 1;

/** The columns of a file of items. An item without an id gets the next free one. */
export const itemFileColumns = {
  id: id.nullable(),
  item_type: oneOf(itemTypes),
  name_en: name(),
  name_ar: name(),
};

type FileItem = FileRecord<typeof itemFileColumns>;

interface Options extends ImportOptions {
  /** Whether the company's items are changed by their ids; otherwise they are a mistake. */
  mayUpdate: boolean;
  /** Whether records without an id may repeat another record or an item; otherwise that is a mistake. */
  mayRepeat: boolean;
}

/** Writes items of a file in a transaction; throws before writing when there is any mistake. */
export async function importItems(
  transaction: Database,
  records: FileItem[],
  mistakes: Mistakes,
  options: Options,
): Promise<{ added: number; changed: number; unchanged: number }> {
  const { companyId, mayRepeat, isTrial, signal, onProgress } = options;
  await lockTable(transaction, 'items');
  rejectRepeatedIds(records, mistakes);
  const known = await rejectTakenIds(transaction, records, mistakes, options);
  if (!mayRepeat) await rejectRepeats(transaction, records, mistakes, companyId);
  mistakes.ensureNone('Nothing was imported. Correct the file, then import it again.');

  const items = await giveIds(transaction, records);
  let written = 0;
  for (const batch of batchesOf(items, signal)) {
    const { numAffectedRows = 0n } = await sql`
      insert into items (id, company_id, item_type, name_en, name_ar)
      select id, ${companyId}, item_type, name_en, name_ar from ${fileRows('items', batch)}
      on conflict (company_id, id) do update
        set item_type = excluded.item_type, name_en = excluded.name_en, name_ar = excluded.name_ar
        where (items.item_type, items.name_en, items.name_ar)
          is distinct from (excluded.item_type, excluded.name_en, excluded.name_ar)`.execute(transaction);
    written += Number(numAffectedRows);
    onProgress(`${written} of ${items.length} items written`);
  }
  if (!isTrial) await advanceSequence(transaction, 'items');
  const added = items.length - known;
  return { added, changed: written - added, unchanged: items.length - written };
}

// Returns how many records are items of the company already.
async function rejectTakenIds(
  transaction: Database,
  records: FileItem[],
  mistakes: Mistakes,
  { companyId, mayUpdate }: Options,
): Promise<number> {
  const ids = anyOf(records.flatMap((item) => item.id ?? []));
  const items = await transaction
    .selectFrom('items')
    .select(['id', 'companyId', 'itemType'])
    .where('id', '=', ids)
    .execute();
  const taggings = await transaction
    .selectFrom('productTaggings')
    .select('itemId')
    .distinct()
    .where('companyId', '=', companyId)
    .where('itemId', '=', ids)
    .execute();
  const known = new Map(items.map((item) => [item.id, item]));
  const tagged = new Set(taggings.map(({ itemId }) => itemId));
  for (const { id, line, item_type } of records) {
    const item = known.get(id ?? 0);
    if (item === undefined) continue;
    const reject = (column: string, message: string) => mistakes.add({ line, column, message: `${id} ${message}` });
    if (item.companyId !== companyId) reject('id', `is an item of another company (${item.companyId})`);
    else if (!mayUpdate) reject('id', 'is an item already; --update changes existing items');
    else if (tagged.has(item.id) && item.itemType !== item_type)
      reject('item_type', 'is tagged, so it stays a product');
  }
  return known.size;
}

async function rejectRepeats(
  transaction: Database,
  records: FileItem[],
  mistakes: Mistakes,
  companyId: number,
): Promise<void> {
  const unnamed = records.filter((item) => item.id === null);
  const { rows } = await sql<{ id: number; key: string[] }>`
    select min(items.id) as id, json_build_array(item_type, name_en, name_ar) as key
    from items join ${fileRows('items', unnamed)} using (item_type, name_en, name_ar)
    where items.company_id = ${companyId} group by item_type, name_en, name_ar`.execute(transaction);
  const items = new Map(rows.map(({ id, key }) => [JSON.stringify(key), `item ${id}`]));
  const lines = new Map<string, string>();
  for (const { id, line, item_type, name_en, name_ar } of records) {
    const key = JSON.stringify([item_type, name_en, name_ar]);
    const same = lines.get(key) ?? items.get(key);
    if (!lines.has(key)) lines.set(key, `line ${line}`);
    if (id !== null || same === undefined) continue;
    mistakes.add({ line, message: `is the same as ${same}; give it an id, or use --allow-repeats` });
  }
}

// Those without an id get the ones after the highest that an item of the file or the database has or had.
async function giveIds(transaction: Database, records: FileItem[]): Promise<FileItem[]> {
  const { rows } = await sql<{ id: number }>`select
    greatest(max(id), pg_sequence_last_value(pg_get_serial_sequence('items', 'id')::regclass), 0)::integer as id
    from items`.execute(transaction);
  let last = records.reduce((highest, { id }) => Math.max(highest, id ?? 0), rows[0]?.id ?? 0);
  const needed = records.filter(({ id }) => id === null).length;
  if (last + needed > highestId) {
    throw new StartError(`The file needs ${needed} new ids, and ${highestId - last} are left. Nothing was changed.`);
  }
  return records.map((item) => {
    last += item.id === null ? 1 : 0;
    return { ...item, id: item.id ?? last };
  });
}
