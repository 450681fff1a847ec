import { type Kysely, sql } from 'kysely';
import { type MigrationInfo, type MigrationResultSet, Migrator, NO_MIGRATIONS } from 'kysely/migration';
import { migrations } from '../../../migrations/index.ts';
import { StartError } from '../../kernel/errors/start-error.ts';

/** Of the advisory lock that Kysely, too, takes for migrations. */
const lockId = sql.lit('3853314791062309107');

/** Brings the database to the newest migration; returns the names of those it ran. */
export function migrateToLatest<Tables>(db: Kysely<Tables>): Promise<string[]> {
  return migrate(db, (migrator) => migrator.migrateToLatest());
}

/** Undoes every migration, all data with them; returns the names of those undone. */
export function migrateToNothing<Tables>(db: Kysely<Tables>): Promise<string[]> {
  return migrate(db, (migrator) => migrator.migrateTo(NO_MIGRATIONS));
}

/** Throws a StartError, saying what to run, when the database lacks migrations. */
export async function ensureMigrated<Tables>(db: Kysely<Tables>): Promise<void> {
  const all = await listMigrations(db);
  const pending = all.filter(({ executedAt }) => executedAt === undefined);
  if (pending.length === 0) return;
  throw new StartError(
    `The database lacks these migrations: ${pending.map(({ name }) => name).join(', ')}. Run: npm run -s admin -- migrate\n` +
      'In the image, that is: node dist/src/admin.js migrate',
  );
}

/** Every migration in the order it runs, with when it ran; undefined is not yet. */
export function listMigrations<Tables>(db: Kysely<Tables>): Promise<readonly MigrationInfo[]> {
  return createMigrator(db).getMigrations();
}

function createMigrator<Tables>(db: Kysely<Tables>): Migrator {
  // Migrations write the names they mean: the plugins of the application stay out.
  return new Migrator({ db: db.withoutPlugins(), provider: { getMigrations: async () => migrations } });
}

// One transaction, and a lock that ends with it: what is the session's a pooler would give to others.
function migrate<Tables>(db: Kysely<Tables>, run: (migrator: Migrator) => Promise<MigrationResultSet>) {
  return db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${lockId}::bigint)`.execute(transaction);
    const { error, results = [] } = await run(createMigrator(transaction));
    if (error !== undefined) throw error;
    return results.map((result) => result.migrationName);
  });
}
