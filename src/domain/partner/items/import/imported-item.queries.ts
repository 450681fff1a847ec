import { sql } from 'kysely';
import type { Staging } from './staged-item.queries.ts';

/** Keeps every other writer of items away until the transaction ends; the service, which only reads them, goes on. */
export async function lockItems(staging: Staging): Promise<void> {
  await sql`lock table items in share row exclusive mode`.execute(staging);
}

/** Lines of the file, the first and the last. */
export interface Range {
  from: number;
  to: number;
}

/** Adds or changes the items of the rows that name an id; returns how many were not so already. */
export async function writeItemsById(staging: Staging, companyId: number, { from, to }: Range): Promise<number> {
  const result = await sql`
    insert into items (id, company_id, item_type, name_en, name_ar)
    select id, ${companyId}, item_type, name_en, name_ar from staged_items
    where id is not null and line between ${from} and ${to} order by line
    on conflict (company_id, id) do update
      set item_type = excluded.item_type, name_en = excluded.name_en, name_ar = excluded.name_ar
      where (items.item_type, items.name_en, items.name_ar)
        is distinct from (excluded.item_type, excluded.name_en, excluded.name_ar)`.execute(staging);
  return Number(result.numAffectedRows ?? 0n);
}

/** The highest id that an item has or had; 0 where there never was one. */
export async function findLastId(staging: Staging): Promise<number> {
  const { rows } = await sql<{ id: number }>`select
    greatest(max(id), pg_sequence_last_value(pg_get_serial_sequence('items', 'id')::regclass), 0)::integer as id
    from items`.execute(staging);
  return rows[0]?.id as number;
}

/** Adds the items of the rows that name no id, in their order, with the ids after `lastId`; returns how many. */
export async function insertItems(
  staging: Staging,
  companyId: number,
  { from, to }: Range,
  lastId: number,
): Promise<number> {
  const result = await sql`
    insert into items (id, company_id, item_type, name_en, name_ar)
    select ${lastId} + row_number() over (order by line), ${companyId}, item_type, name_en, name_ar
    from staged_items where id is null and line between ${from} and ${to}`.execute(staging);
  return Number(result.numAffectedRows ?? 0n);
}

/** Lets the next id that the database gives be beyond those of all items. It cannot be undone: the last thing to do. */
export async function passItemIds(staging: Staging): Promise<void> {
  await sql`
    select setval(pg_get_serial_sequence('items', 'id'), max(id)) from items
    having max(id) > coalesce(pg_sequence_last_value(pg_get_serial_sequence('items', 'id')::regclass), 0)`.execute(
    staging,
  );
}
