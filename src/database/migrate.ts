import { Migrator, NO_MIGRATIONS } from 'kysely/migration';
import { migrations } from '../../migrations/index.ts';
import { StartError } from '../errors/start-error.ts';
import type { Database } from './database.ts';

/** Brings the database to the newest migration; returns the names of those it ran. */
export async function migrateToLatest(db: Database): Promise<string[]> {
  return finish(await createMigrator(db).migrateToLatest());
}

/** Undoes every migration, all data with them; returns the names of those undone. */
export async function migrateToNothing(db: Database): Promise<string[]> {
  return finish(await createMigrator(db).migrateTo(NO_MIGRATIONS));
}

/** Throws a StartError, saying what to run, when the database lacks migrations. */
export async function ensureMigrated(db: Database): Promise<void> {
  const pending = await listPendingMigrations(db);
  if (pending.length === 0) return;
  throw new StartError(
    `The database lacks ${pending.length} migrations (${pending.join(', ')}). Run: npm run -s admin -- migrate\n` +
      'In the image, that is: node dist/src/admin.js migrate',
  );
}

/** Names of the migrations the database still lacks. */
export async function listPendingMigrations(db: Database): Promise<string[]> {
  const all = await listMigrations(db);
  return all.filter((migration) => migration.executedAt === undefined).map((migration) => migration.name);
}

/** Every migration in the order it runs, with when it ran; undefined is not yet. */
export async function listMigrations(db: Database): Promise<{ name: string; executedAt: Date | undefined }[]> {
  const all = await createMigrator(db).getMigrations();
  return all.map(({ name, executedAt }) => ({ name, executedAt }));
}

function createMigrator(db: Database): Migrator {
  // Migrations write the names they mean: the plugins of the application stay out.
  return new Migrator({ db: db.withoutPlugins(), provider: { getMigrations: async () => migrations } });
}

function finish({ error, results = [] }: Awaited<ReturnType<Migrator['migrateToLatest']>>): string[] {
  if (error !== undefined) throw error;
  return results.map((result) => result.migrationName);
}
