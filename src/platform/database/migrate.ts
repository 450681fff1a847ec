import { type Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { migrations } from '../../../migrations/index.ts';
import { OperatorError } from '../../kernel/errors/operator-error.ts';

/** Kysely's advisory lock for migrations. */
const lockId = sql.lit('3853314791062309107');

const insufficientPrivilege = '42501';

/**
 * Runs all pending migrations in one transaction; returns their names. Does nothing to a newer database that has them all.
 * Throws an OperatorError for a database with some of another version, but not all of this one.
 */
export function migrateToLatest<Tables>(db: Kysely<Tables>): Promise<string[]> {
  return db.transaction().execute(async (transaction) => {
    // Ends with the transaction: a pooler could hand a session-level lock to another client.
    await sql`select pg_advisory_xact_lock(${lockId}::bigint)`.execute(transaction);
    const all = await listMigrations(transaction);
    const { pending = [], unknown = [] } = Object.groupBy(all, ({ state }) => state);
    // Kysely would throw for an unknown one.
    if (pending.length === 0) return [];
    if (unknown.length > 0) {
      throw new OperatorError(
        `The database has migrations that this version does not know (${formatNames(unknown)}), and lacks others ` +
          `(${formatNames(pending)}). Nothing was changed. Use the newest of the versions that migrated it.`,
      );
    }
    // As Kysely creates it. Where Kysely may not, it would report that the transaction is aborted, not why.
    await transaction
      .withoutPlugins()
      .schema.withSchema(await getSchema(transaction))
      .createTable('kysely_migration')
      .ifNotExists()
      .addColumn('name', 'varchar(255)', (column) => column.notNull().primaryKey())
      .addColumn('timestamp', 'varchar(255)', (column) => column.notNull())
      .execute();
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
  const pending = all.filter(({ state }) => state === 'pending');
  if (pending.length === 0) return;
  throw new OperatorError(
    `The database lacks these migrations: ${formatNames(pending)}. ` +
      'Run: npm run -s admin -- migrate\nIn the image, that is: node dist/src/admin.js migrate',
  );
}

interface MigrationState {
  /** A newer version has run an unknown one. */
  state: 'applied' | 'pending' | 'unknown';
  name: string;
  appliedAt: Date | null;
}

/** The migrations of this version in order, then newer ones of the database. */
export async function listMigrations<Tables>(db: Kysely<Tables>): Promise<MigrationState[]> {
  const migrator = await createMigrator(db);
  const known = (await migrator.getMigrations()).map(({ name, executedAt = null }) => {
    return { state: executedAt === null ? 'pending' : 'applied', name, appliedAt: executedAt } as const;
  });
  const { rows } = await sql<{ exists: boolean }>`select to_regclass('kysely_migration') is not null as exists`.execute(
    db,
  );
  if (!rows[0]?.exists) return known;
  const executed = await sql<{ name: string; timestamp: string }>`
    select name, timestamp from kysely_migration order by name`.execute(db);
  const unknown = executed.rows.filter(({ name }) => !Object.hasOwn(migrations, name));
  return [
    ...known,
    ...unknown.map(({ name, timestamp }) => ({ state: 'unknown', name, appliedAt: new Date(timestamp) }) as const),
  ];
}

/** The names of the migrations of a newer version that the database has. */
export async function listUnknownMigrations<Tables>(db: Kysely<Tables>): Promise<string[]> {
  return (await listMigrations(db)).filter(({ state }) => state === 'unknown').map(({ name }) => name);
}

function formatNames(all: readonly MigrationState[]): string {
  return all.map(({ name }) => name).join(', ');
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
