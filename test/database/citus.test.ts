import { readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { copyTemplate, openDatabase, use } from '../support/app.ts';

/** Tables that the file leaves on the coordinator. */
const local = ['admin_log', 'applications', 'brand_types', 'cuisine_types', 'reference_version', 'timezones'];

const script = await readFile(new URL('../../deploy/citus.sql', import.meta.url), 'utf8');
const database = use(await copyTemplate());
const { db } = use(await openDatabase(database.env));

async function rows<Row>(query: ReturnType<typeof sql<Row>>): Promise<Row[]> {
  return (await query.execute(db.withoutPlugins())).rows;
}

// Foreign keys with the columns on both sides, and each table with the kind that the file makes it.
const foreignKeys = sql`
  select conname as name, conrelid::regclass::text as from, confrelid::regclass::text as to,
    confdeltype as on_delete, confupdtype as on_update, pg_get_constraintdef(oid) as definition,
    array(select attname::text from unnest(conkey) with ordinality as k (n, i)
      join pg_attribute on attrelid = conrelid and attnum = n order by i) as columns,
    array(select attname::text from unnest(confkey) with ordinality as k (n, i)
      join pg_attribute on attrelid = confrelid and attnum = n order by i) as targets
  from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace order by 1`;
const tables = sql`
  select relname::text as name, coalesce(kind, 'local') as kind, key, colocated from pg_class
  left join made on made.name = pg_class.oid
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relname not like 'kysely%' and relname <> 'made'`;

type Named = { name: string };
const namesOf = (list: Named[]) => list.map(({ name }) => name);

const keysBefore = await rows(foreignKeys);

// In place of Citus's functions: they reject what a schema alone can show, and foreign keys, of which Citus accepts some.
await sql
  .raw(`
  create table made (name regclass, kind text, key text, colocated text);
  create function make_table(name regclass, kind text, key text, colocated text) returns void language plpgsql as $$
  begin
    if exists (select from pg_trigger where tgrelid = name and not tgisinternal) then
      raise exception 'cannot distribute %, as it has triggers', name;
    end if;
    if exists (select from pg_constraint where contype = 'f' and name in (conrelid, confrelid)) then
      raise exception 'cannot distribute %, as it has foreign keys', name;
    end if;
    insert into made values (name, kind, key, colocated);
  end $$;
  create function create_reference_table(name regclass) returns void language sql
    as $$ select make_table(name, 'reference', null, null) $$;
  create function create_distributed_table(name regclass, key text, colocate_with text) returns void language sql
    as $$ select make_table(name, 'distributed', key, colocate_with) $$;`)
  .execute(db);

test('the file runs in its order: no table has triggers or foreign keys when its turn comes, and all keys are back', async () => {
  await sql.raw(script).execute(db);
  expect(await rows(foreignKeys)).toEqual(keysBefore);
  // Citus wants each key in a statement of its own.
  for (const statement of script.split(';')) expect(statement.split('add constraint').length).toBeLessThanOrEqual(2);
  // The triggers of the tables that stay local are as they were.
  const kept = sql<Named>`select distinct tgrelid::regclass::text as name from pg_trigger where not tgisinternal order by 1`;
  expect(namesOf(await rows(kept))).toEqual(['applications', 'brand_types', 'cuisine_types', 'timezones']);
  // The statement that the file gives in place of the others has their effect.
  const version = () => db.selectFrom('referenceVersion').select('version').executeTakeFirstOrThrow();
  const before = await version();
  await sql.raw(/^-- {3}(update reference_version .*)$/m.exec(script)?.[1] ?? '').execute(db);
  expect(await version()).toEqual({ version: before.version + 1 });
});

test('each table with a company is distributed by it, together with the others; those that stay are named', async () => {
  const made = await rows(sql<Named & { kind: string }>`${tables} order by 1`);
  expect(namesOf(made.filter(({ kind }) => kind === 'local'))).toEqual(local);
  for (const table of local) expect(script.slice(script.indexOf('-- Local:'))).toContain(table);
  const tenants = await rows(sql<Named & { type: string }>`
    select table_name as name, data_type || ' ' || is_nullable as type from information_schema.columns
    where table_schema = 'public' and column_name = 'company_id' order by 1`);
  // Tables of one colocation have columns of one type.
  expect(new Set(tenants.map(({ type }) => type))).toEqual(new Set(['integer NO']));
  const colocation = (name: string) => (name === 'items' ? 'none' : 'items');
  expect(made.filter(({ kind }) => kind === 'distributed')).toEqual(
    tenants.map(({ name }) => ({ name, kind: 'distributed', key: 'company_id', colocated: colocation(name) })),
  );
});

test('every key of a distributed table has the company, and each has a primary one', async () => {
  const keys = await rows(sql<{ primary: boolean; columns: string[] }>`
    select indisprimary as primary,
      array(select attname::text from pg_attribute where attrelid = indrelid and attnum = any(indkey)) as columns
    from pg_index join made on name = indrelid where kind = 'distributed' and (indisunique or indisexclusion)`);
  expect(keys.filter(({ columns }) => !columns.includes('company_id'))).toEqual([]);
  const made = await rows(sql`select from made where kind = 'distributed'`);
  expect(keys.filter(({ primary }) => primary)).toHaveLength(made.length);
});

test('foreign keys stay on one node', async () => {
  const offenders = await rows(sql`
    with keys as (${foreignKeys}), kinds as (${tables})
    select keys.name from keys join kinds source on source.name = keys.from join kinds target on target.name = keys.to
    -- Citus would take a local table in with the tables that its keys lead to.
    where 'local' in (source.kind, target.kind)
      or (source.kind = 'reference' and target.kind <> 'reference')
      or (target.kind = 'distributed'
        and targets[array_position(columns, 'company_id')] is distinct from 'company_id')
      -- Nothing may change the column that rows are distributed by.
      or (source.kind = 'distributed' and 'company_id' = any(columns)
        and (on_delete not in ('a', 'r', 'c') or on_update not in ('a', 'r')))`);
  expect(offenders).toEqual([]);
  expect(keysBefore.length).toBeGreaterThan(10);
});
