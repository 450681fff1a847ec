import { sql } from 'kysely';
import { anyOf } from '../../../platform/database/any-of.ts';
import { statement } from '../../../platform/database/statement.ts';
import type { Caller } from '../../request/context.ts';
import type { Database } from '../../tables.ts';

/** At most so many tokens of a partner live at once: the one in use and its successor. */
export const maxLiveTokens = 2;

/** Whether a token is neither revoked nor expired, by the database's clock, so that every process agrees. */
export const isLive = sql<boolean>`partner_tokens.revoked_at is null and coalesce(partner_tokens.expires_at > now(), true)`;

const selectCaller = statement((db: Database, { tokenHash }: { tokenHash: string }) =>
  db
    .selectFrom('partnerTokens')
    .innerJoin('partners', 'partners.id', 'partnerTokens.partnerId')
    .innerJoin('companies', 'companies.id', 'partners.defaultCompanyId')
    .where('partnerTokens.tokenHash', '=', tokenHash)
    .where(isLive)
    .where('partners.suspendedAt', 'is', null)
    .where('companies.suspendedAt', 'is', null)
    .select(['partnerTokens.id as tokenId', 'partners.id as partnerId', 'partners.defaultCompanyId as companyId']),
);

/** Who a live token stands for; undefined for an unknown, expired, revoked or suspended one. */
export async function findCaller(db: Database, tokenHash: string): Promise<Caller | undefined> {
  const [caller] = await selectCaller(db, { tokenHash });
  return caller;
}

export interface TokenSummary {
  id: number;
  partner: string;
  createdAt: Date;
  expiresAt: Date | null;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
  live: boolean;
}

/** Every token, or those that no request used for some days. */
export async function listTokens(db: Database, unusedDays: number | null = null): Promise<TokenSummary[]> {
  return db
    .selectFrom('partnerTokens')
    .innerJoin('partners', 'partners.id', 'partnerTokens.partnerId')
    .select([
      'partnerTokens.id',
      'partners.name as partner',
      'partnerTokens.createdAt',
      'partnerTokens.expiresAt',
      'partnerTokens.revokedAt',
      'partnerTokens.lastUsedAt',
      isLive.as('live'),
    ])
    .where(sql<boolean>`${unusedDays}::integer is null
      or coalesce(last_used_at, created_at) < now() - make_interval(days => ${unusedDays}::integer)`)
    .orderBy('partnerTokens.id')
    .execute();
}

export async function countLiveTokens(db: Database, partnerId: number): Promise<number> {
  const { count } = await db
    .selectFrom('partnerTokens')
    .where('partnerId', '=', partnerId)
    .where(isLive)
    .select(sql<number>`count(*)::integer`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** Stores a token's hash; `days` null means that it does not expire. */
export async function insertToken(
  db: Database,
  token: { partnerId: number; tokenHash: string; days: number | null },
): Promise<void> {
  await db
    .insertInto('partnerTokens')
    .values({
      partnerId: token.partnerId,
      tokenHash: token.tokenHash,
      expiresAt: token.days === null ? null : sql<Date>`now() + make_interval(days => ${token.days}::integer)`,
    })
    .execute();
}

/** Notes that tokens were used now. */
export async function touchTokens(db: Database, ids: readonly number[]): Promise<void> {
  await db.updateTable('partnerTokens').set({ lastUsedAt: sql<Date>`now()` }).where('id', '=', anyOf(ids)).execute();
}

/** Revokes a token from now on; false when there is no such token. Revoking twice keeps the first time. */
export async function revokeToken(db: Database, id: number): Promise<boolean> {
  const result = await db
    .updateTable('partnerTokens')
    // `coalesce` would be refused where Citus has the table on every node; `least` passes over null as well.
    .set({ revokedAt: sql<Date>`least(revoked_at, now())` })
    .where('id', '=', id)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}
