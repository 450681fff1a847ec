import { type Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { migrations } from '../../../migrations/index.ts';
import { OperatorError } from '../../kernel/errors/operator-error.ts';

const migrationLockId = sql.lit('3853314791062309107');

const insufficientPrivilege = '42501';

/** Returns the names of the applied migrations. Throws an OperatorError for a database of another branch of versions. */
export function migrateToLatest<Tables>(db: Kysely<Tables>): Promise<string[]> {
  return db.transaction().execute(async (transaction) => {
    // Ends with the transaction, because a pooler could hand a session-level lock to another client.
    await sql`select pg_advisory_xact_lock(${migrationLockId}::bigint)`.execute(transaction);
    const all = await listMigrations(transaction);
    const { pending = [], unknown = [] } = Object.groupBy(all, ({ state }) => state);
    if (pending.length === 0) return [];
    if (unknown.length > 0) {
      throw new OperatorError(
        `The database has migrations that are unknown to this version (${formatNames(unknown)}), and lacks others ` +
          `(${formatNames(pending)}). No changes were made. Use the newest version that has migrated this database.`,
      );
    }
    // Without this, Kysely would hide why a user may not create its table.
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

/** Throws an OperatorError if migrations are pending. */
export async function ensureMigrated<Tables>(db: Kysely<Tables>): Promise<void> {
  const all = await listMigrations(db).catch((error: Error & { code?: string }) => {
    throw error.code === insufficientPrivilege
      ? new OperatorError(
          `The database user of the service lacks privileges (${error.message}). ` +
            'Use the user that ran migrate, or grant select, insert, update and delete on the tables.',
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
  /** `unknown`: applied by a newer version. */
  state: 'applied' | 'pending' | 'unknown';
  name: string;
  appliedAt: Date | null;
}

export async function listMigrations<Tables>(db: Kysely<Tables>): Promise<MigrationState[]> {
  const migrator = await createMigrator(db);
  const ownMigrations = (await migrator.getMigrations()).map(({ name, executedAt = null }) => {
    return { state: executedAt === null ? 'pending' : 'applied', name, appliedAt: executedAt } as const;
  });
  const { rows } = await sql<{ exists: boolean }>`select to_regclass('kysely_migration') is not null as exists`.execute(
    db,
  );
  if (!rows[0]?.exists) return ownMigrations;
  const executed = await sql<{ name: string; timestamp: string }>`
    select name, timestamp from kysely_migration order by name`.execute(db);
  const unknown = executed.rows.filter(({ name }) => !Object.hasOwn(migrations, name));
  return [
    ...ownMigrations,
    ...unknown.map(({ name, timestamp }) => ({ state: 'unknown', name, appliedAt: new Date(timestamp) }) as const),
  ];
}

export async function listUnknownMigrations<Tables>(db: Kysely<Tables>): Promise<string[]> {
  return (await listMigrations(db)).filter(({ state }) => state === 'unknown').map(({ name }) => name);
}

function formatNames(all: readonly MigrationState[]): string {
  return all.map(({ name }) => name).join(', ');
}

export async function createMigrator<Tables>(db: Kysely<Tables>): Promise<Migrator> {
  return new Migrator({
    db: db.withoutPlugins(),
    provider: { getMigrations: async () => migrations },
    migrationTableSchema: await getSchema(db),
  });
}

/** Kysely alone looks in all schemas, not in the search_path. */
async function getSchema<Tables>(db: Kysely<Tables>): Promise<string> {
  const { rows } = await sql<{ schema: string | null }>`
    select coalesce(
      (select nspname from pg_class join pg_namespace on pg_namespace.oid = relnamespace
        where pg_class.oid = to_regclass('kysely_migration')),
      current_schema()) as schema`.execute(db);
  const schema = rows[0]?.schema;
  if (schema) return schema;
  throw new OperatorError(
    'The search_path names no existing schema that the database user may use (no schema has been selected to create ' +
      'in). Create the schema, grant usage on it, or correct the search_path of the URL, the user or the database.',
  );
}
