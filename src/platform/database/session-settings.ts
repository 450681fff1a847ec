import { type IsolationLevel, type Kysely, sql } from 'kysely';
import { OperatorError } from '../../kernel/errors/operator-error.ts';

/** In ms, for statements that outlive the deadline of their request or have none. */
const timeoutSettings = { statement_timeout: 5_000, lock_timeout: 3_000, idle_in_transaction_session_timeout: 5_000 };

/** In ms. The server soon notices that a client has closed its connection. */
const disconnectSettings = { client_connection_check_interval: 200 };

const planSettings = { plan_cache_mode: 'force_generic_plan' };

/** Databases and users may have other formats. */
const formatSettings = { DateStyle: 'ISO, MDY', TimeZone: 'UTC' };

export interface Session {
  forRequests: boolean;
  prepare: boolean;
}

/** A pooler may be configured to ignore them (see deploy/pgbouncer.ini). */
export function startUpParameters({ forRequests, prepare }: Session): Record<string, string> {
  const settings = {
    ...formatSettings,
    ...(forRequests && timeoutSettings),
    ...disconnectSettings,
    ...(prepare && planSettings),
  };
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value)]));
}

/** For a command, resets the timeouts that a pooler sets on every connection. */
export function buildBegin({ forRequests }: Session, isolationLevel: IsolationLevel = 'read committed'): string {
  const names = forRequests ? [] : Object.keys(timeoutSettings);
  return [`begin isolation level ${isolationLevel}`, ...names.map((name) => `set local ${name} to default`)].join('; ');
}

export async function listMissingSettings<Tables>(db: Kysely<Tables>, session: Session): Promise<string[]> {
  const expected = startUpParameters(session);
  const { rows } = await sql<{ name: string }>`
    select name from json_each_text(${JSON.stringify(expected)}::json) as expected (name, value)
    where value <> (select setting from pg_settings where pg_settings.name = expected.name)`.execute(db);
  return rows.map(({ name }) => name);
}

export async function findCollationChange<Tables>(db: Kysely<Tables>) {
  const { rows } = await sql<{ recorded: string; library: string }>`
    select collversion as recorded, pg_collation_actual_version(oid) as library from pg_collation
    where collname = 'und-x-icu' and collversion <> pg_collation_actual_version(oid)`.execute(db);
  return rows[0];
}

export async function ensureUtf8<Tables>(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ encoding: string }>`select current_setting('server_encoding') as encoding`.execute(db);
  const encoding = rows[0]?.encoding;
  if (encoding === 'UTF8') return;
  throw new OperatorError(
    `The database of DATABASE_URL has the encoding ${encoding}, but Arabic names need UTF8. Create a database with that encoding: ` +
      "create database gateway template template0 encoding 'UTF8' locale 'C.UTF-8'",
  );
}
