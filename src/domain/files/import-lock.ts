import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from '../tables.ts';

const lock = sql`hashtext('import')::bigint`;

/** How often a waiting import tries again, in ms. */
const interval = 1_000;

/** Keeps other imports waiting until the transaction ends. While this one waits, `onWait` receives a text that names the other. */
export async function lockImports(transaction: Database, onWait: (text: string) => void = () => {}): Promise<void> {
  for (let told = ''; !(await tryLock(transaction)); ) {
    await setTimeout(interval);
    const text = await describeHolder(transaction);
    if (text === undefined || text === told) continue;
    onWait(text);
    told = text;
  }
}

// The activity of other sessions stays as the transaction first saw it, until it is cleared.
async function tryLock(transaction: Database): Promise<boolean> {
  const { rows } = await sql<{ isLocked: boolean }>`
    select pg_try_advisory_xact_lock(${lock}) as is_locked, pg_stat_clear_snapshot()`.execute(transaction);
  return rows[0]?.isLocked === true;
}

async function describeHolder(transaction: Database): Promise<string | undefined> {
  // The start is null if the other import runs as another user of the database.
  const { rows } = await sql<{ pid: number; name: string; since: Date | null }>`
    select pid, application_name as name, xact_start as since from pg_locks join pg_stat_activity using (pid)
    where locktype = 'advisory' and granted and (classid::bigint << 32 | objid::bigint) = ${lock}
      and database = (select oid from pg_database where datname = current_database())`.execute(transaction);
  const [other] = rows;
  if (other === undefined) return undefined;
  const since = other.since ? ` since ${other.since.toISOString()}` : '';
  return (
    `This command waits, because an import runs${since}: ${other.name} (command, process and host). To end it, press ` +
    `Ctrl-C or send SIGTERM there, or run in the database: select pg_terminate_backend(${other.pid})`
  );
}
