import { sql } from 'kysely';
import { StartError } from '../../../kernel/errors/start-error.ts';
import { type FileRecord, id, name, oneOf, optional } from '../../import/column.ts';
import type { Mistakes } from '../../import/mistakes.ts';
import { advanceSequence, batchesOf, lockTable, rejectRepeatedIds, rowsOf } from '../../import/rows.ts';
import type { Database } from '../../tables.ts';
import { itemTypes } from './item.table.ts';

const highestId = 2 ** 31 - 1;

/** The columns of a file of items. An item without an id gets the next free one. */
export const itemFileColumns = {
  id: optional(id),
  item_type: oneOf(itemTypes),
  name_en: name(),
  name_ar: name(),
};

const types = { id: 'integer', item_type: 'text', name_en: 'text', name_ar: 'text' } as const;

type FileItem = FileRecord<typeof itemFileColumns>;

interface Options {
  companyId: number;
  /** Whether the company's items are changed by their ids; otherwise they are a mistake. */
  mayUpdate: boolean;
  /** Whether records without an id may repeat another record or an item; otherwise that is a mistake. */
  mayRepeat: boolean;
  isTrial: boolean;
  signal: AbortSignal;
  onProgress(written: number): void;
}

/** Writes items of a file in a transaction; throws before writing when there is any mistake. */
export async function importItems(
  transaction: Database,
  records: FileItem[],
  mistakes: Mistakes,
  { companyId, mayUpdate, mayRepeat, isTrial, signal, onProgress }: Options,
): Promise<{ added: number; changed: number; unchanged: number }> {
  await lockTable(transaction, 'items');
  rejectRepeatedIds(records, mistakes);
  const known = await rejectTakenIds(transaction, records, mistakes, companyId, mayUpdate);
  if (!mayRepeat) await rejectRepeats(transaction, records, mistakes, companyId);
  mistakes.ensureNone('Nothing was imported. Correct the file, then import it again.');

  const { named = [], unnamed = [] } = Object.groupBy(records, (item) => (item.id === null ? 'unnamed' : 'named'));
  let written = 0;
  const write = async (items: Record<string, unknown>[]) => {
    for (const batch of batchesOf(items, signal)) {
      written += await upsertItems(transaction, companyId, batch);
      onProgress(written);
    }
  };
  // Records with an id first: the others get ids beyond them.
  await write(named);
  const lastId = unnamed.length === 0 ? 0 : await findLastId(transaction);
  if (lastId + unnamed.length > highestId) {
    throw new StartError(
      `Ids left: ${highestId - lastId}; records that need one: ${unnamed.length}. Nothing was changed.`,
    );
  }
  await write(unnamed.map((item, index) => ({ ...item, id: lastId + 1 + index })));
  if (!isTrial) await advanceSequence(transaction, 'items');
  const added = records.length - known;
  return { added, changed: written - added, unchanged: records.length - written };
}

// Returns how many records are items of the company already.
async function rejectTakenIds(
  transaction: Database,
  records: FileItem[],
  mistakes: Mistakes,
  companyId: number,
  mayUpdate: boolean,
): Promise<number> {
  const fileIds = sql`(select file.id from ${rowsOf(records, { id: 'integer' })})`;
  const { rows } = await sql<{ id: number; companyId: number; itemType: string }>`
    select id, company_id, item_type from items where id in ${fileIds}`.execute(transaction);
  const { rows: taggings } = await sql<{ id: number }>`
    select distinct item_id as id from product_taggings
    where company_id = ${companyId} and item_id in ${fileIds}`.execute(transaction);
  const known = new Map(rows.map((row) => [row.id, row]));
  const tagged = new Set(taggings.map((row) => row.id));
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
  const keyOf = (item: Omit<FileItem, 'id' | 'line'>) => JSON.stringify([item.item_type, item.name_en, item.name_ar]);
  const unnamed = records.filter((item) => item.id === null);
  const { rows } = await sql<{ id: number; key: [string, string, string] }>`
    select min(items.id) as id, json_build_array(item_type, name_en, name_ar) as key
    from items join ${rowsOf(unnamed, { item_type: 'text', name_en: 'text', name_ar: 'text' })}
      using (item_type, name_en, name_ar)
    where company_id = ${companyId} group by item_type, name_en, name_ar`.execute(transaction);
  const items = new Map(rows.map(({ id, key }) => [JSON.stringify(key), id]));
  const lines = new Map<string, number>();
  for (const item of records) {
    const key = keyOf(item);
    const other = lines.get(key);
    if (other === undefined) lines.set(key, item.line);
    if (item.id !== null || (other === undefined && !items.has(key))) continue;
    const same = other === undefined ? `item ${items.get(key)}` : `line ${other}`;
    mistakes.add({ line: item.line, message: `is the same as ${same}; give it an id, or use --allow-repeats` });
  }
}

// Returns how many items were not so already.
async function upsertItems(
  transaction: Database,
  companyId: number,
  items: Record<string, unknown>[],
): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into items (id, company_id, item_type, name_en, name_ar)
    select id, ${companyId}, item_type, name_en, name_ar from ${rowsOf(items, types)}
    on conflict (company_id, id) do update
      set item_type = excluded.item_type, name_en = excluded.name_en, name_ar = excluded.name_ar
      where (items.item_type, items.name_en, items.name_ar)
        is distinct from (excluded.item_type, excluded.name_en, excluded.name_ar)`.execute(transaction);
  return Number(numAffectedRows ?? 0n);
}

// The highest id that an item has or had.
async function findLastId(transaction: Database): Promise<number> {
  const { rows } = await sql<{ id: number }>`select
    greatest(max(id), pg_sequence_last_value(pg_get_serial_sequence('items', 'id')::regclass), 0)::integer as id
    from items`.execute(transaction);
  return rows[0]?.id ?? 0;
}
