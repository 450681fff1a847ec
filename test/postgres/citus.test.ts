import { readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { copyTemplate, openDatabase, use } from '../support/app.ts';

type Kind = 'reference' | 'distributed' | 'local';

/** Tables that the file leaves on the coordinator. */
const local = ['admin_log', 'applications', 'brand_types', 'cuisine_types', 'reference_version', 'timezones'];

const script = await readFile(new URL('../../deploy/citus.sql', import.meta.url), 'utf8');
const calls = [
  ...script.matchAll(
    /^select create_(reference|distributed)_table\('(\w+)'(?:, '(\w+)', colocate_with => '(\w+)')?\);$/gm,
  ),
];
const made = calls.map(([, kind, table = '', column, colocatedWith]) => ({
  kind: kind as Kind,
  table,
  column,
  colocatedWith,
}));
/** Without its comments. */
const statements = script
  .replace(/^--.*\n/gm, '')
  .split(';')
  .flatMap((text) => text.trim() || []);
/** What it has statements of, in this order. */
const steps = [
  /^drop trigger \w+ on \w+$/,
  /^alter table \w+ drop constraint \w+$/,
  /^select create_\w+_table\(/,
  /^alter table \w+ add constraint \w+\s+foreign key \([\w, ]+\) references \w+ \([\w, ]+\)( on delete cascade)?$/,
];
const kindOf = (table: string): Kind => made.find((call) => call.table === table)?.kind ?? 'local';

const database = use(await copyTemplate());
const connection = use(await openDatabase(database.env));

async function rows<Row>(query: ReturnType<typeof sql<Row>>): Promise<Row[]> {
  return (await query.execute(connection.db.withoutPlugins())).rows;
}

const listTables = async () =>
  (
    await rows(sql<{ name: string }>`select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relname not like 'kysely%' order by 1`)
  ).map(({ name }) => name);

interface ForeignKey {
  name: string;
  from: string;
  to: string;
  columns: string[];
  targets: string[];
  onDelete: string;
  onUpdate: string;
  definition: string;
}

const listForeignKeys = () =>
  rows(sql<ForeignKey>`
    select conname as name, conrelid::regclass::text as from, confrelid::regclass::text as to,
      confdeltype as "onDelete", confupdtype as "onUpdate", pg_get_constraintdef(oid) as definition,
      array(select attname::text from unnest(conkey) with ordinality as k (n, i)
        join pg_attribute on attrelid = conrelid and attnum = n order by i) as columns,
      array(select attname::text from unnest(confkey) with ordinality as k (n, i)
        join pg_attribute on attrelid = confrelid and attnum = n order by i) as targets
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace order by 1`);

test('every table is named once, or is left on the coordinator', async () => {
  expect([...made.map(({ table }) => table), ...local].toSorted()).toEqual(await listTables());
  // The file says so of the latter.
  for (const table of local) expect(script.slice(script.indexOf('-- Local:'))).toContain(table);
});

test('the file drops triggers and keys, makes tables and then adds the keys, each in a statement of its own', () => {
  const places = statements.map((text) => steps.findIndex((step) => step.test(text)));
  expect(statements.filter((_, i) => places[i] === -1)).toEqual([]);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places.filter((place) => place === 2)).toHaveLength(calls.length);
});

test('whatever has a company is distributed by it, and together', async () => {
  const tenants = await rows(sql<{ name: string; type: string }>`
    select table_name as name, data_type || ' ' || is_nullable as type from information_schema.columns
    where table_schema = 'public' and column_name = 'company_id' order by 1`);
  const distributed = made.filter(({ kind }) => kind === 'distributed');
  expect(distributed.map(({ table }) => table).toSorted()).toEqual(tenants.map(({ name }) => name));
  // Tables of one colocation have columns of one type.
  expect(new Set(tenants.map(({ type }) => type))).toEqual(new Set(['integer NO']));
  expect(distributed.map(({ column }) => column)).toEqual(distributed.map(() => 'company_id'));
  const [first, ...others] = distributed;
  expect(first?.colocatedWith).toBe('none');
  expect(others.map(({ colocatedWith }) => colocatedWith)).toEqual(others.map(() => first?.table));
});

test('every key of a distributed table has the company, and each has a primary one', async () => {
  const keys = await rows(sql<{ table: string; isPrimary: boolean; columns: string[] }>`
    select indrelid::regclass::text as table, indisprimary as "isPrimary",
      array(select attname::text from pg_attribute where attrelid = indrelid and attnum = any(indkey)) as columns
    from pg_index join pg_class on pg_class.oid = indrelid
    where (indisunique or indisexclusion) and relnamespace = 'public'::regnamespace`);
  for (const { table } of made.filter(({ kind }) => kind === 'distributed')) {
    const own = keys.filter((key) => key.table === table);
    expect(own.filter((key) => !key.columns.includes('company_id'))).toEqual([]);
    expect(own.filter((key) => key.isPrimary)).toHaveLength(1);
  }
});

test('foreign keys stay on one node', async () => {
  const keys = await listForeignKeys();
  expect(keys.length).toBeGreaterThan(10);
  for (const key of keys) {
    const [from, to] = [kindOf(key.from), kindOf(key.to)];
    // Citus would take a local table in with what its keys lead to.
    expect([from, to], key.name).not.toContain('local');
    if (from === 'reference') expect(to, key.name).toBe('reference');
    if (to === 'distributed') {
      expect(key.columns.indexOf('company_id'), key.name).toBeGreaterThanOrEqual(0);
      expect(key.targets[key.columns.indexOf('company_id')], key.name).toBe('company_id');
    }
    // Nothing that would change the column that rows are distributed by.
    if (from === 'distributed' && key.columns.includes('company_id')) {
      expect(['a', 'r', 'c'], key.name).toContain(key.onDelete);
      expect(['a', 'r'], key.name).toContain(key.onUpdate);
    }
  }
});

test('columns that the database fills are identities, and nothing is generated by a volatile expression', async () => {
  const defaults = await rows(sql<{ table: string; column: string; default: string }>`
    select table_name as table, column_name as column, column_default as default from information_schema.columns
    where table_schema = 'public' and table_name not like 'kysely%' and column_default is not null order by 1, 2`);
  const distributed = defaults.filter(({ table }) => kindOf(table) === 'distributed');
  expect(distributed).toEqual([
    { table: 'idempotency_keys', column: 'created_at', default: 'now()' },
    { table: 'product_taggings', column: 'created_at', default: 'now()' },
    { table: 'product_taggings', column: 'item_type', default: "'product'::text" },
  ]);
  const generated = await rows(sql<{ name: string }>`select table_name || '.' || column_name as name
    from information_schema.columns where table_schema = 'public' and is_generated <> 'NEVER'`);
  expect(generated).toEqual([]);
});

test('the file runs in its order, each table without triggers and foreign keys when its turn comes', async () => {
  const { db } = connection;
  const foreignKeys = await listForeignKeys();
  // In place of Citus's functions: what they refuse that a schema alone can show, and foreign keys, of which they take some.
  await sql`create table made (name regclass)`.execute(db);
  await sql`create function make_table(name regclass) returns void language plpgsql as $$
    begin
      if exists (select from pg_trigger where tgrelid = name and not tgisinternal) then
        raise exception 'cannot distribute %, as it has triggers', name;
      end if;
      if exists (select from pg_constraint where contype = 'f' and name in (conrelid, confrelid)) then
        raise exception 'cannot distribute %, as it has foreign keys', name;
      end if;
      insert into made values (name);
    end $$`.execute(db);
  await sql`create function create_reference_table(name regclass) returns void language sql
    as 'select make_table(name)'`.execute(db);
  await sql`create function create_distributed_table(name regclass, key text, colocate_with text) returns void language sql
    as 'select make_table(name)'`.execute(db);
  await sql.raw(script).execute(db);
  expect(await rows(sql<{ name: string }>`select name::text from made`)).toEqual(
    made.map(({ table }) => ({ name: table })),
  );
  expect(await listForeignKeys()).toEqual(foreignKeys);
  // The triggers of the tables that stay local are as they were.
  const kept = await rows(sql<{ name: string }>`select distinct tgrelid::regclass::text as name from pg_trigger
    where not tgisinternal order by 1`);
  expect(kept.map(({ name }) => name)).toEqual(['applications', 'brand_types', 'cuisine_types', 'timezones']);
  // What the file has one do in their place does what they did.
  const version = await db.selectFrom('referenceVersion').select('version').executeTakeFirstOrThrow();
  const [instead = ''] = /^-- {3}(update reference_version .*)$/m.exec(script)?.slice(1) ?? [];
  await sql.raw(instead).execute(db);
  expect(await db.selectFrom('referenceVersion').select('version').executeTakeFirstOrThrow()).toEqual({
    version: version.version + 1,
  });
});
