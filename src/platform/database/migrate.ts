import { type Kysely, sql } from 'kysely';
import { type MigrationInfo, Migrator } from 'kysely/migration';
import { migrations } from '../../../migrations/index.ts';
import { OperatorError } from '../../kernel/errors/operator-error.ts';

/** Kysely's advisory lock for migrations. */
const lockId = sql.lit('3853314791062309107');

const insufficientPrivilege = '42501';

/** Runs all pending migrations in one transaction; returns their names. */
export function migrateToLatest<Tables>(db: Kysely<Tables>): Promise<string[]> {
  return db.transaction().execute(async (transaction) => {
    // Ends with the transaction: a pooler could hand a session-level lock to another client.
    await sql`select pg_advisory_xact_lock(${lockId}::bigint)`.execute(transaction);
    const migrator = await createMigrator(transaction);
    const { error, results = [] } = await migrator.migrateToLatest();
    if (error !== undefined) throw error;
    return results.map((result) => result.migrationName);
  });
}

/** Throws an OperatorError with the command to run if migrations are pending. */
export async function ensureMigrated<Tables>(db: Kysely<Tables>): Promise<void> {
  const all = await listMigrations(db).catch((error: Error & { code?: string }) => {
    throw error.code === insufficientPrivilege
      ? new OperatorError(
          `The database user of the service has too few privileges (${error.message}). ` +
            'Use the user that ran migrate, or grant this one select, insert, update and delete on the tables.',
        )
      : error;
  });
  const pending = all.filter(({ executedAt }) => executedAt === undefined);
  if (pending.length === 0) return;
  throw new OperatorError(
    `The database lacks these migrations: ${pending.map(({ name }) => name).join(', ')}. ` +
      'Run: npm run -s admin -- migrate\nIn the image, that is: node dist/src/admin.js migrate',
  );
}

/** Every migration in order, with the time it ran; undefined if it is pending. */
export async function listMigrations<Tables>(db: Kysely<Tables>): Promise<readonly MigrationInfo[]> {
  const migrator = await createMigrator(db);
  return migrator.getMigrations();
}

export async function createMigrator<Tables>(db: Kysely<Tables>): Promise<Migrator> {
  return new Migrator({
    // Migrations use the names of the database, so the application's plugins are off.
    db: db.withoutPlugins(),
    provider: { getMigrations: async () => migrations },
    migrationTableSchema: await getSchema(db),
  });
}

/** The schema of the search_path that has Kysely's tables, or else gets them. Kysely alone looks in all schemas. */
async function getSchema<Tables>(db: Kysely<Tables>): Promise<string> {
  const { rows } = await sql<{ schema: string | null }>`
    select coalesce(
      (select nspname from pg_class join pg_namespace on pg_namespace.oid = relnamespace
        where pg_class.oid = to_regclass('kysely_migration')),
      current_schema()) as schema`.execute(db);
  const schema = rows[0]?.schema;
  if (schema) return schema;
  throw new OperatorError(
    'The search_path of the database names no schema that exists and that the user may use, so no schema has been ' +
      'selected to create in. Create the schema, grant the user its use, or correct the search_path of the URL, the ' +
      'user or the database.',
  );
}
