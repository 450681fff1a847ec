import { sql } from 'kysely';
import type { Database } from './tables.ts';

interface LogEntry {
  at: Date;
  by: string;
  command: string;
  details: { arguments: string[]; options: Record<string, unknown>; result: Record<string, unknown> };
}

export async function insertLogEntry(db: Database, { by, command, details }: Omit<LogEntry, 'at'>): Promise<void> {
  await db
    .insertInto('adminLog')
    .values({ actor: by, command, details: JSON.stringify(details) })
    .execute();
}

export async function listLogEntries(
  db: Database,
  { days = null, limit }: { days?: number | null | undefined; limit: number },
): Promise<LogEntry[]> {
  const entries = await db
    .selectFrom('adminLog')
    .select(['at', 'actor as by', 'command', 'details'])
    .where(sql<boolean>`${days}::integer is null or at > now() - make_interval(days => ${days}::integer)`)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return entries as unknown as LogEntry[];
}
