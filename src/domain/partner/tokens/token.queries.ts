import { sql } from 'kysely';
import { OperatorError } from '../../../kernel/errors/operator-error.ts';
import { statement } from '../../../platform/database/statement.ts';
import type { Database } from '../../tables.ts';

/** Whether a token is neither revoked nor expired, by the database's clock, so that all processes agree. */
export const isLive = sql<boolean>`partner_tokens.revoked_at is null
  and coalesce(partner_tokens.expires_at > now(), true)`;

/** The partner and company of a request. Tenant queries filter by this company, never by an id from the input. */
export interface Caller {
  tokenId: number;
  /** Set by the operator, such as the name of the integration. */
  tokenLabel: string | null;
  partnerId: number;
  companyId: number;
}

/** Returns no row for an unknown, expired or revoked token, or a suspended partner or company. */
export const selectCaller = statement((db: Database, { tokenHash }: { tokenHash: string }) =>
  db
    .selectFrom('partnerTokens')
    .innerJoin('partners', 'partners.id', 'partnerTokens.partnerId')
    .innerJoin('companies', 'companies.id', 'partners.defaultCompanyId')
    .where('partnerTokens.tokenHash', '=', tokenHash)
    .where(isLive)
    .where('partners.suspendedAt', 'is', null)
    .where('companies.suspendedAt', 'is', null)
    .select([
      'partnerTokens.id as tokenId',
      'partnerTokens.label as tokenLabel',
      'partners.id as partnerId',
      'partners.defaultCompanyId as companyId',
    ]),
);

/** All tokens, or those unused for `unusedDays`. */
export async function listTokens(db: Database, unusedDays: number | null = null) {
  return db
    .selectFrom('partnerTokens')
    .innerJoin('partners', 'partners.id', 'partnerTokens.partnerId')
    .innerJoin('companies', 'companies.id', 'partners.defaultCompanyId')
    .select([
      'partnerTokens.id',
      'partnerTokens.label',
      sql<string>`case
        when revoked_at is not null then 'revoked'
        when not (${isLive}) then 'expired'
        when coalesce(partners.suspended_at, companies.suspended_at) is not null then 'suspended'
        else 'live' end`.as('state'),
      'partners.name as partner',
      'partnerTokens.createdAt as issued',
      'partnerTokens.expiresAt as expires',
      'partnerTokens.lastUsedAt as lastUsed',
    ])
    .where(sql<boolean>`${unusedDays}::integer is null
      or coalesce(last_used_at, created_at) < now() - make_interval(days => ${unusedDays}::integer)`)
    .orderBy('partnerTokens.id')
    .execute();
}

/** Returns the token's label. Revoking twice keeps the first time. Throws an OperatorError for an unknown token. */
export async function revokeToken(db: Database, id: number): Promise<string | null> {
  const { label } = await db
    .updateTable('partnerTokens')
    .set({ revokedAt: sql<Date>`coalesce(revoked_at, now())` })
    .where('id', '=', id)
    .returning('label')
    .executeTakeFirstOrThrow(() => unknownToken(id));
  return label;
}

export function unknownToken(id: number): OperatorError {
  return new OperatorError(`There is no token ${id}. Run token list to see the tokens.`);
}
