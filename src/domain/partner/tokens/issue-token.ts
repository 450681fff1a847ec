import { type RawBuilder, sql } from 'kysely';
import { OperatorError } from '../../../kernel/errors/operator-error.ts';
import { generateToken, hashToken } from '../../../kernel/token.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { Database } from '../../tables.ts';
import { getPartner } from '../partners/partners.ts';
import { isLive, revokeToken, type TokenAccess, unknownToken } from './tokens.ts';

/** Maximum number of live tokens of a partner with the same access: the current one and its successor. */
const maxLiveTokens = 2;

const kinds: Record<TokenAccess, string> = { full: 'full', read_only: 'read-only' };

export interface IssuedToken {
  id: number;
  token: string;
  label: string | null;
  access: TokenAccess;
  /** Null if it does not expire. */
  expiresAt: Date | null;
}

interface TokenOptions {
  /** Null if the token does not expire. */
  days: number | null;
  label?: string | null | undefined;
  access?: TokenAccess;
}

/**
 * Issues a token to a partner, found by id or name, and stores its hash. Throws an OperatorError for an unknown partner,
 * or one with two live tokens of this access.
 */
export async function issueToken(
  db: Database,
  partner: string,
  { access = 'full', ...options }: TokenOptions,
): Promise<IssuedToken> {
  return inTransaction(db, async (transaction) => {
    const { id, name } = await getPartner(transaction, partner);
    const live = await lockLiveTokens(transaction, id, access);
    if (live.length >= maxLiveTokens)
      throw new OperatorError(`"${name}" has ${live.length} live ${kinds[access]} tokens already. Revoke one first.`);
    return insertToken(transaction, id, { access, ...options });
  });
}

/**
 * Issues a token to the partner of a live token, with its label and access. The old one expires in `after` days, or when
 * it would have. `undo` revokes the new one, and gives the old one its expiry back. Throws an OperatorError if the token is
 * not live, or the partner has two live tokens of this access.
 */
export async function rotateToken(
  db: Database,
  id: number,
  { after, days }: { after: number; days: number },
): Promise<IssuedToken & { oldExpiresAt: Date; undo(db: Database): Promise<void> }> {
  return inTransaction(db, async (transaction) => {
    const old = await transaction
      .selectFrom('partnerTokens')
      .select(['partnerId', 'label', 'access', sql<string | null>`expires_at::text`.as('expiresAt')])
      .where('id', '=', id)
      .executeTakeFirstOrThrow(() => unknownToken(id));
    const live = await lockLiveTokens(transaction, old.partnerId, old.access);
    if (!live.some((token) => token.id === id))
      throw new OperatorError(`Token ${id} is expired or revoked. Issue a new one: token issue.`);
    if (live.length >= maxLiveTokens) {
      const others = live.filter((token) => token.id !== id).map((token) => token.id);
      throw new OperatorError(
        `The partner of token ${id} has another ${kinds[old.access]} token in use, ${others.join(', ')}, and may have ${maxLiveTokens}. Revoke one that nobody uses.`,
      );
    }
    const issued = await insertToken(transaction, old.partnerId, { days, label: old.label, access: old.access });
    const setExpiry = (db: Database, time: RawBuilder<Date>) =>
      db
        .updateTable('partnerTokens')
        .set({ expiresAt: time })
        .where('id', '=', id)
        .returning('expiresAt')
        .executeTakeFirstOrThrow();
    const { expiresAt } = await setExpiry(transaction, sql`least(expires_at, ${inDays(after)})`);
    const undo = async (db: Database) => {
      await revokeToken(db, issued.id);
      await setExpiry(db, sql`${old.expiresAt}::timestamptz`);
    };
    return { ...issued, oldExpiresAt: expiresAt as Date, undo };
  });
}

const inDays = (days: number) => sql<Date>`now() + make_interval(days => ${days}::integer)`;

/** The live tokens of a partner with this access. The partner gets no other one until the transaction ends. */
async function lockLiveTokens(
  transaction: Database,
  partnerId: number,
  access: TokenAccess,
): Promise<{ id: number }[]> {
  await transaction.selectFrom('partners').select('id').where('id', '=', partnerId).forUpdate().execute();
  return transaction
    .selectFrom('partnerTokens')
    .select('id')
    .where('partnerId', '=', partnerId)
    .where('access', '=', access)
    .where(isLive)
    .execute();
}

async function insertToken(db: Database, partnerId: number, { days, ...options }: TokenOptions): Promise<IssuedToken> {
  const token = generateToken();
  const row = { ...options, partnerId, tokenHash: hashToken(token), expiresAt: days === null ? null : inDays(days) };
  const inserted = db.insertInto('partnerTokens').values(row).returning(['id', 'label', 'access', 'expiresAt']);
  return { ...(await inserted.executeTakeFirstOrThrow()), token };
}
