import { sql } from 'kysely';
import type { Database } from '../tables.ts';

/** Rejects the tokens of a partner or of a company's partners, or accepts them again. Suspending twice keeps the first time. */
export async function setSuspended(
  db: Database,
  table: 'companies' | 'partners',
  id: number,
  isSuspended: boolean,
): Promise<void> {
  const suspendedAt = isSuspended ? sql<Date>`least(suspended_at, now())` : null;
  await db.updateTable(table).set({ suspendedAt }).where('id', '=', id).execute();
}
