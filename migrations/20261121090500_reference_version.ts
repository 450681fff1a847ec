import { type Kysely, sql } from 'kysely';

const tables = ['countries', 'cities', 'timezones', 'services', 'brand_types', 'cuisine_types', 'applications'];

// Every change of reference data raises one number, whoever makes it. A statement that changes no row, as
// most of a repeated seed, changes nothing here either; what `truncate` removes cannot be seen, so it always counts.
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table reference_version (
    only_row boolean primary key default true check (only_row),
    version integer not null
  )`.execute(db);
  await sql`insert into reference_version (version) values (1)`.execute(db);
  await sql`create function raise_reference_version() returns trigger language plpgsql as $$
    begin
      if tg_op <> 'TRUNCATE' then
        if not exists (select from changed) then return null; end if;
      end if;
      update reference_version set version = version + 1;
      return null;
    end
  $$`.execute(db);
  for (const table of tables) {
    for (const [event, changed] of [
      ['insert', 'referencing new table as changed'],
      ['update', 'referencing new table as changed'],
      ['delete', 'referencing old table as changed'],
      ['truncate', ''],
    ] as const) {
      await sql`create trigger ${sql.id(`${table}_${event}_version`)} after ${sql.raw(event)} on ${sql.table(table)}
        ${sql.raw(changed)} for each statement execute function raise_reference_version()`.execute(db);
    }
  }
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const table of tables) {
    for (const event of ['insert', 'update', 'delete', 'truncate']) {
      await sql`drop trigger ${sql.id(`${table}_${event}_version`)} on ${sql.table(table)}`.execute(db);
    }
  }
  await sql`drop function raise_reference_version`.execute(db);
  await sql`drop table reference_version`.execute(db);
}
