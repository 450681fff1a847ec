import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { migrations } from '../migrations/index.ts';
import { seedDemo } from '../src/domain/reference/seed/demo.ts';
import { seedReferenceData } from '../src/domain/reference/seed/reference.ts';
import { listPendingMigrations, migrateToLatest, migrateToNothing } from '../src/platform/database/migrate.ts';
import { copyTemplate, openDatabase, use } from './support/app.ts';

const all = Object.keys(migrations);

const copy = use(await copyTemplate());
const connection = use(await openDatabase(copy.env));

/** What migrations make: everything in the schema but the migrator's own two tables. */
async function describeSchema() {
  const { db } = connection;
  const own = sql`not like 'kysely%'`;
  const { rows: tables } = await sql`
    select table_name from information_schema.tables
    where table_schema = 'public' and table_name ${own} order by 1`.execute(db);
  const { rows: columns } = await sql`
    select table_name, column_name, ordinal_position, data_type, is_nullable, column_default, is_identity,
      identity_generation, identity_start, is_generated, generation_expression
    from information_schema.columns
    where table_schema = 'public' and table_name ${own} order by table_name, ordinal_position`.execute(db);
  const { rows: constraints } = await sql`
    select conrelid::regclass::text as table_name, conname, pg_get_constraintdef(oid) as definition from pg_constraint
    where connamespace = 'public'::regnamespace and conrelid::regclass::text ${own} order by 1, 2`.execute(db);
  const { rows: indexes } = await sql`
    select indexdef from pg_indexes where schemaname = 'public' and tablename ${own} order by 1`.execute(db);
  const { rows: sequences } = await sql`
    select sequencename, start_value from pg_sequences
    where schemaname = 'public' and sequencename ${own} order by 1`.execute(db);
  const { rows: triggers } = await sql`
    select pg_get_triggerdef(oid) as definition from pg_trigger where not tgisinternal order by 1`.execute(db);
  const { rows: functions } = await sql`
    select oid::regprocedure::text as signature, prosrc from pg_proc
    where pronamespace = 'public'::regnamespace order by 1`.execute(db);
  const { rows: types } = await sql`
    select typname from pg_type
    where typnamespace = 'public'::regnamespace and typtype in ('e', 'd') order by 1`.execute(db);
  return { tables, columns, constraints, indexes, sequences, triggers, functions, types };
}

const nothing = {
  tables: [],
  columns: [],
  constraints: [],
  indexes: [],
  sequences: [],
  triggers: [],
  functions: [],
  types: [],
};

test('are listed by their timestamps', () => {
  expect(all).toEqual(all.toSorted());
  for (const name of all) expect(name).toMatch(/^\d{14}_[a-z_]+$/);
});

test('a database that has them all has none pending, and another run does nothing', async () => {
  expect(await listPendingMigrations(connection.db)).toEqual([]);
  const before = await describeSchema();
  expect(await migrateToLatest(connection.db)).toEqual([]);
  expect(await describeSchema()).toEqual(before);
});

test('all the way down leaves nothing, up again makes the same schema, twice', async () => {
  const { db } = connection;
  const before = await describeSchema();
  const tables = before.tables.map((row) => Object.values(row as object)[0]);
  expect(tables).toEqual(expect.arrayContaining(['countries', 'cities', 'items', 'product_tags', 'product_taggings']));

  for (const _round of [1, 2]) {
    expect(await migrateToNothing(db)).toEqual(all.toReversed());
    expect(await describeSchema()).toEqual(nothing);
    expect(await listPendingMigrations(db)).toEqual(all);
    expect(await migrateToNothing(db)).toEqual([]);

    expect(await migrateToLatest(db)).toEqual(all);
    expect(await describeSchema()).toEqual(before);
    expect(await listPendingMigrations(db)).toEqual([]);
  }
});

test('a database that went down and up takes the reference data again', async () => {
  const { db } = connection;
  await seedReferenceData(db);
  await seedDemo(db);
  const list = () => db.selectFrom('cities').selectAll().orderBy('id').execute();
  const before = await list();
  expect(before).not.toEqual([]);

  await migrateToNothing(db);
  await migrateToLatest(db);
  expect(await list()).toEqual([]);
  await seedReferenceData(db);
  await seedDemo(db);
  expect(await list()).toEqual(before);
});
