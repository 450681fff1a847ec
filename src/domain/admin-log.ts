import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { snakeCased } from './import/columns.ts';
import type { Database } from './tables.ts';

interface LogDetails {
  arguments: string[];
  options: Record<string, unknown>;
  result: Record<string, unknown>;
  /** Columns that differ, with their values before and after. */
  old?: unknown;
  new?: unknown;
}

/** Records a change that an operator made through the command line. */
export async function insertLogEntry(
  db: Database,
  { details, ...entry }: { actor: string; command: string; details: LogDetails },
): Promise<void> {
  await db
    .insertInto('adminLog')
    .values({ ...entry, details: JSON.stringify(details) })
    .execute();
}

/** The columns of one row that differ between two states of its list; undefined if none do. */
export function changeOf(id: unknown, before: object[], after: object[]) {
  const [old = {}, now = {}] = [before, after].map((rows) => rows.map(snakeCased).find((row) => row.id === id));
  const columns = Object.keys({ ...old, ...now }).filter((column) => !isDeepStrictEqual(old[column], now[column]));
  const pick = (row: object) => Object.fromEntries(Object.entries(row).filter(([column]) => columns.includes(column)));
  return columns.length === 0 ? undefined : { old: pick(old), new: pick(now) };
}

/** The newest entries first: those of the last days, at most `limit`. */
export async function listLogEntries(
  db: Database,
  { days = null, limit }: { days?: number | null | undefined; limit: number },
) {
  return db
    .selectFrom('adminLog')
    .select([
      'at',
      'actor as by',
      'command',
      sql`details - '{old,new}'::text[]`.as('details'),
      sql`details -> 'old'`.as('old'),
      sql`details -> 'new'`.as('new'),
    ])
    .where(sql<boolean>`${days}::integer is null or at > now() - make_interval(days => ${days}::integer)`)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}
