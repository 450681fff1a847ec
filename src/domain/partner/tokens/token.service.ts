import { sql } from 'kysely';
import { OperatorError } from '../../../kernel/errors/operator-error.ts';
import { generateToken, hashToken } from '../../../kernel/token.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { Database } from '../../tables.ts';
import { isLive } from './token.queries.ts';

/** Maximum number of live tokens of a partner: the current one and its successor. */
const maxLiveTokens = 2;

/**
 * Issues a token to a partner and stores its hash; returns its id and text. With `days` null, it does not expire.
 * Throws an OperatorError for an unknown partner, or one with two live tokens.
 */
export async function issueToken(
  db: Database,
  partnerName: string,
  { days, label }: { days: number | null; label?: string | undefined },
): Promise<{ id: number; token: string }> {
  return inTransaction(db, async (transaction) => {
    const unknown = `There is no partner named "${partnerName}". Run partner list to see the partners.`;
    const partners = transaction.selectFrom('partners').select('id').where('name', '=', partnerName).forUpdate();
    const { id: partnerId } = await partners.executeTakeFirstOrThrow(() => new OperatorError(unknown));
    const live = transaction.selectFrom('partnerTokens').select('id').where('partnerId', '=', partnerId).where(isLive);
    const { length } = await live.execute();
    if (length >= maxLiveTokens)
      throw new OperatorError(`"${partnerName}" has ${length} live tokens already. Revoke one first.`);
    const token = generateToken();
    const expiresAt = days === null ? null : sql<Date>`now() + make_interval(days => ${days}::integer)`;
    const row = { partnerId, label, tokenHash: hashToken(token), expiresAt };
    const inserted = transaction.insertInto('partnerTokens').values(row).returning('id');
    return { ...(await inserted.executeTakeFirstOrThrow()), token };
  });
}
