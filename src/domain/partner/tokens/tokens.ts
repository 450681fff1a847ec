import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { OperatorError } from '../../../kernel/errors/operator-error.ts';
import { entryOverhead, memoryBounds } from '../../../kernel/memory-bounds.ts';
import { anyId } from '../../../platform/database/queries.ts';
import { retryRead } from '../../../platform/database/transaction.ts';
import { id, name, oneOf, optional, text, time } from '../../files/columns.ts';
import type { FileFormat } from '../../files/file-format.ts';
import type { Database } from '../../tables.ts';

const accesses = ['full', 'read_only'] as const;

export type TokenAccess = (typeof accesses)[number];

/** By the database's clock, so that all processes agree. */
export const liveCondition = sql<boolean>`partner_tokens.revoked_at is null
  and coalesce(partner_tokens.expires_at > now(), true)`;

/** Tenant queries filter by this company, never by an id from the input. */
export interface Caller {
  tokenId: number;
  tokenLabel: string | null;
  access: TokenAccess;
  partnerId: number;
  companyId: number;
}

/** Returns undefined for an unknown, expired or revoked token, or a suspended partner or company. */
export async function findCaller(db: Database, tokenHash: string): Promise<Caller | undefined> {
  const { rows } = await sql<Caller>`
    select partner_tokens.id as "tokenId", label as "tokenLabel", access, partner_id as "partnerId",
      default_company_id as "companyId"
    from partner_tokens
    join partners on partners.id = partner_id
    join companies on companies.id = default_company_id
    where token_hash = ${tokenHash} and ${liveCondition}
      and partners.suspended_at is null and companies.suspended_at is null`.execute(db);
  return rows[0];
}

/** Revocation, expiry and suspension take effect within this time. */
const ttlMs = 1_000;

/** By token hash; caches unknown tokens too. */
export class CallerCache {
  readonly #db: Database;
  readonly #lookups = new LRUCache<string, Promise<Caller | undefined>>({
    ttl: ttlMs,
    maxSize: memoryBounds.callers,
    // A caller and its promise take as much as an entry.
    sizeCalculation: (_, tokenHash) => tokenHash.length + 3 * entryOverhead,
  });

  constructor(db: Database) {
    this.#db = db;
  }

  find(tokenHash: string): Promise<Caller | undefined> {
    const cached = this.#lookups.get(tokenHash);
    if (cached !== undefined) return cached;
    const lookup = retryRead(() => findCaller(this.#db, tokenHash));
    this.#lookups.set(tokenHash, lookup);
    lookup.catch(() => this.#lookups.delete(tokenHash));
    return lookup;
  }
}

export async function listTokens(db: Database, unusedDays: number | null = null) {
  return db
    .selectFrom('partnerTokens')
    .innerJoin('partners', 'partners.id', 'partnerTokens.partnerId')
    .innerJoin('companies', 'companies.id', 'partners.defaultCompanyId')
    .select([
      'partnerTokens.id',
      'partnerTokens.label',
      'partnerTokens.access',
      sql<string>`case
        when revoked_at is not null then 'revoked'
        when not (${liveCondition}) then 'expired'
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

/** Expiring within 14 days, without a longer-lived token of the same partner and access. */
export async function countExpiringTokens(db: Database): Promise<number> {
  const { count } = await db
    .selectFrom('partnerTokens')
    .innerJoin('partners', 'partners.id', 'partnerTokens.partnerId')
    .innerJoin('companies', 'companies.id', 'partners.defaultCompanyId')
    .where(liveCondition)
    .where('partners.suspendedAt', 'is', null)
    .where('companies.suspendedAt', 'is', null)
    .where(sql<boolean>`partner_tokens.expires_at < now() + interval '14 days'`)
    .where(sql<boolean>`not exists (
      select from partner_tokens as other
      where other.partner_id = partner_tokens.partner_id and other.access = partner_tokens.access
        and other.revoked_at is null
        and coalesce(other.expires_at > partner_tokens.expires_at, true))`)
    .select(sql<number>`count(*)::integer`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** `changed` is false if it was revoked before. Throws an OperatorError for an unknown token. */
export async function revokeToken(db: Database, id: number): Promise<{ label: string | null; changed: boolean }> {
  const token = db.selectFrom('partnerTokens').select('label').where('id', '=', id);
  const { label } = await token.executeTakeFirstOrThrow(() => unknownToken(id));
  const update = db.updateTable('partnerTokens').set({ revokedAt: sql<Date>`now()` }).where('id', '=', id);
  const { numUpdatedRows } = await update.where('revokedAt', 'is', null).executeTakeFirst();
  return { label, changed: numUpdatedRows > 0n };
}

function unknownToken(id: number): OperatorError {
  return new OperatorError(`There is no token ${id}. Run token list to see the tokens.`);
}

/** Batches the writes, so that no request waits for its own. */
export class TokenUsage {
  #used = new Set<number>();

  record(tokenId: number): void {
    this.#used.add(tokenId);
  }

  /** After an error, the next flush writes them. */
  async flush(db: Database): Promise<void> {
    const used = this.#used;
    if (used.size === 0) return;
    this.#used = new Set();
    try {
      const write = db.updateTable('partnerTokens').set({ lastUsedAt: sql<Date>`now()` });
      await write.where('id', '=', anyId([...used])).execute();
    } catch (error) {
      for (const id of used) this.record(id);
      throw error;
    }
  }
}

/** SHA-256 hashes, of this service or another. */
export const tokenFile: FileFormat = {
  table: 'partner_tokens',
  columns: {
    id: optional(id),
    partner_id: id,
    label: optional(name()),
    access: oneOf(accesses),
    expires_at: optional(time),
    revoked_at: optional(time),
    token_hash: text((value) => /^[0-9a-f]{64}$/.test(value), 'a SHA-256 hash of 64 lower-case hexadecimal digits'),
  },
  references: { partner_id: 'partners' },
};
