import { type Kysely, sql } from 'kysely';
import { type MigrationInfo, Migrator } from 'kysely/migration';
import { migrations } from '../../../migrations/index.ts';
import { OperatorError } from '../../kernel/errors/operator-error.ts';

/** Kysely's advisory lock for migrations. */
const lockId = sql.lit('3853314791062309107');

/** Runs all pending migrations in one transaction; returns their names. */
export function migrateToLatest<Tables>(db: Kysely<Tables>): Promise<string[]> {
  return db.transaction().execute(async (transaction) => {
    // Ends with the transaction: a pooler could hand a session-level lock to another client.
    await sql`select pg_advisory_xact_lock(${lockId}::bigint)`.execute(transaction);
    const { error, results = [] } = await createMigrator(transaction).migrateToLatest();
    if (error !== undefined) throw error;
    return results.map((result) => result.migrationName);
  });
}

/** Throws an OperatorError with the command to run if migrations are pending. */
export async function ensureMigrated<Tables>(db: Kysely<Tables>): Promise<void> {
  const all = await listMigrations(db);
  const pending = all.filter(({ executedAt }) => executedAt === undefined);
  if (pending.length === 0) return;
  throw new OperatorError(
    `The database lacks these migrations: ${pending.map(({ name }) => name).join(', ')}. ` +
      'Run: npm run -s admin -- migrate\nIn the image, that is: node dist/src/admin.js migrate',
  );
}

/** Every migration in order, with the time it ran; undefined if it is pending. */
export function listMigrations<Tables>(db: Kysely<Tables>): Promise<readonly MigrationInfo[]> {
  return createMigrator(db).getMigrations();
}

export function createMigrator<Tables>(db: Kysely<Tables>): Migrator {
  // Migrations use the names of the database, so the application's plugins are off.
  return new Migrator({ db: db.withoutPlugins(), provider: { getMigrations: async () => migrations } });
}
