import { sql } from 'kysely';
import { NO_MIGRATIONS } from 'kysely/migration';
import { expect, test } from 'vitest';
import { migrations } from '../../migrations/index.ts';
import { createMigrator, migrateToLatest } from '../../src/platform/database/migrate.ts';
import { referenceTables } from '../support/schema.ts';
import { copyTemplate, openDatabase, use } from '../support/test-app.ts';

const all = Object.keys(migrations);

const copy = use(await copyTemplate());
const { db } = use(await openDatabase(copy.env));

/** The schema that migrations create, without Kysely's own two tables. */
const parts = {
  tables: `select table_name from information_schema.tables
    where table_schema = 'public' and table_name not like 'kysely%' order by 1`,
  columns: `select table_name, column_name, ordinal_position, data_type, is_nullable, column_default, is_identity,
      identity_generation, identity_start, is_generated, generation_expression from information_schema.columns
    where table_schema = 'public' and table_name not like 'kysely%' order by table_name, ordinal_position`,
  constraints: `select conrelid::regclass::text as table_name, conname, pg_get_constraintdef(oid) from pg_constraint
    where connamespace = 'public'::regnamespace and conrelid::regclass::text not like 'kysely%' order by 1, 2`,
  indexes: "select indexdef from pg_indexes where schemaname = 'public' and tablename not like 'kysely%' order by 1",
  sequences: `select sequencename, start_value from pg_sequences
    where schemaname = 'public' and sequencename not like 'kysely%' order by 1`,
  triggers: 'select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal order by 1',
  functions: `select oid::regprocedure::text as signature, prosrc from pg_proc
    where pronamespace = 'public'::regnamespace order by 1`,
  types: `select typname from pg_type
    where typnamespace = 'public'::regnamespace and typtype in ('e', 'd') order by 1`,
};

async function describeSchema(): Promise<Record<string, unknown[]>> {
  const list = async ([part, query]: [string, string]) => [part, (await sql.raw(query).execute(db)).rows];
  return Object.fromEntries(await Promise.all(Object.entries(parts).map(list)));
}

const nothing = Object.fromEntries(Object.keys(parts).map((part) => [part, []]));

test('are listed by their timestamps', () => {
  expect(all).toEqual(all.toSorted());
  for (const name of all) expect(name).toMatch(/^\d{14}_[a-z_]+$/);
});

test('every kind of change of reference data increases its version', async () => {
  const events = `select relname, count(*)::integer from pg_trigger join pg_class on pg_class.oid = tgrelid
    where tgname like '%\\_version' group by relname`;
  const { rows } = await sql.raw<{ relname: string; count: number }>(events).execute(db);
  const counts = Object.fromEntries(rows.map(({ relname, count }) => [relname, count]));
  expect(counts).toMatchObject(Object.fromEntries(referenceTables.map((list) => [list, counts.countries])));
  expect(counts.countries).toBeGreaterThan(3);
});

test('down removes everything, up restores the same schema, and another run has no effect', async () => {
  const before = await describeSchema();
  const tables = before.tables?.map((row) => Object.values(row as object)[0]);
  expect(tables).toEqual(expect.arrayContaining(['countries', 'cities', 'items', 'product_tags', 'product_taggings']));

  const migrator = await createMigrator(db);
  const { results } = await migrator.migrateTo(NO_MIGRATIONS);
  expect(results?.map(({ status }) => status)).toEqual(all.map(() => 'Success'));
  expect(await describeSchema()).toEqual(nothing);

  expect(await migrateToLatest(db)).toEqual(all);
  expect(await describeSchema()).toEqual(before);
  expect(await migrateToLatest(db)).toEqual([]);
});
