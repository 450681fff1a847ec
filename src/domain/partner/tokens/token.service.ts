import { generateToken, hashToken } from '../../../kernel/token.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { Database } from '../../tables.ts';
import { lockPartnerByName } from '../partners/partner.queries.ts';
import { countLiveTokens, insertToken, maxLiveTokens } from './token.queries.ts';

export type IssuedToken = { token: string } | { refused: string };

/** Issues a token to the partner of that name. `days` null means that it does not expire. */
export async function issueToken(db: Database, partnerName: string, days: number | null): Promise<IssuedToken> {
  return inTransaction(db, async (transaction) => {
    const partner = await lockPartnerByName(transaction, partnerName);
    if (partner === undefined) return { refused: `There is no partner named "${partnerName}".` };
    if ((await countLiveTokens(transaction, partner.id)) >= maxLiveTokens) {
      return { refused: `"${partnerName}" has ${maxLiveTokens} live tokens already: revoke one first.` };
    }
    const token = generateToken();
    await insertToken(transaction, { partnerId: partner.id, tokenHash: hashToken(token), days });
    return { token };
  });
}
