import { type Kysely, sql } from 'kysely';

// An import may give the code of one entry to another: codes are unique once it ends, not after each of its statements.
const codes = { countries: 'short_code', cities: 'code', timezones: 'name', services: 'code' };

export function up(db: Kysely<unknown>): Promise<void> {
  return replace(db, sql`deferrable initially immediate`);
}

export function down(db: Kysely<unknown>): Promise<void> {
  return replace(db, sql`not deferrable`);
}

async function replace(db: Kysely<unknown>, mode: ReturnType<typeof sql>): Promise<void> {
  for (const [table, column] of Object.entries(codes)) {
    const constraint = sql.id(`${table}_${column}_key`);
    await sql`alter table ${sql.table(table)} drop constraint ${constraint},
      add constraint ${constraint} unique (${sql.id(column)}) ${mode}`.execute(db);
  }
}
