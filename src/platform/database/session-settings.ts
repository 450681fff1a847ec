import { type Kysely, sql } from 'kysely';

/** In ms. No request takes longer in the database than its deadline: these end what outlives it, or has none. */
const timeoutSettings = { statement_timeout: 5_000, lock_timeout: 3_000, idle_in_transaction_session_timeout: 5_000 };

/** A statement is prepared to be planned once, not each time: texts do not vary, and all are lookups by index. */
const planSettings = { plan_cache_mode: 'force_generic_plan' };

export interface Session {
  /** Whether statements are ended that take longer than a request may. */
  timeouts: boolean;
  /** Whether a statement is prepared once. */
  prepare: boolean;
}

/** What a connection asks for as it is made. A pooler before PostgreSQL may be told to ignore it (see deploy/pgbouncer.ini). */
export function startUpParameters({ timeouts, prepare }: Session) {
  return {
    ...(timeouts && timeoutSettings),
    ...(prepare && { options: `-c plan_cache_mode=${planSettings.plan_cache_mode}` }),
  };
}

/** What begins a transaction. Without time-outs it takes back those that a pooler has set for everybody. */
export function beginOf({ timeouts }: Session): string {
  const names = timeouts ? [] : Object.keys(timeoutSettings);
  return ['begin', ...names.map((name) => `set local ${name} to default`)].join('; ');
}

/** The names of the settings that a connection asked for and has not. */
export async function listMissingSettings<Tables>(db: Kysely<Tables>, session: Session): Promise<string[]> {
  const wanted = { ...(session.timeouts && timeoutSettings), ...(session.prepare && planSettings) };
  const { rows } = await sql<{ name: string }>`
    select name from json_each_text(${JSON.stringify(wanted)}::json) as wanted (name, value)
    where value <> (select setting from pg_settings where pg_settings.name = wanted.name)`.execute(db);
  return rows.map(({ name }) => name);
}
