import { type ColumnType, type Generated, sql } from 'kysely';
import type { Database } from './tables.ts';

/** Changes that operators made through the command line. */
export interface AdminLogTable {
  id: Generated<number>;
  at: ColumnType<Date, never, never>;
  /** Who made the change. */
  actor: string;
  /** The command, without its arguments. */
  command: string;
  details: ColumnType<LogDetails, string, never>;
}

interface LogDetails {
  arguments: string[];
  options: Record<string, unknown>;
  result: Record<string, unknown>;
}

export async function insertLogEntry(
  db: Database,
  { details, ...entry }: { actor: string; command: string; details: LogDetails },
): Promise<void> {
  await db
    .insertInto('adminLog')
    .values({ ...entry, details: JSON.stringify(details) })
    .execute();
}

/** The newest entries first. */
export async function listLogEntries(db: Database, { days, limit }: { days: number | null; limit: number }) {
  return db
    .selectFrom('adminLog')
    .select(['at', 'actor', 'command', 'details'])
    .where(sql<boolean>`${days}::integer is null or at > now() - make_interval(days => ${days}::integer)`)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}
