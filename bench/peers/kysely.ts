import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Tables } from '../../src/domain/tables.ts';

export type Database = Kysely<Tables>;

/** The service's database, with the same libraries and number of connections. */
export const database: Database = new Kysely<Tables>({
  dialect: new PostgresDialect({
    pool: new pg.Pool({
      connectionString: process.env.DATABASE_URL,
      max: Number(process.env.DATABASE_POOL_SIZE),
      keepAlive: true,
    }),
  }),
  plugins: [new CamelCasePlugin()],
});
