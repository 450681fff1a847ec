import { sql } from 'kysely';
import { generateToken, hashToken } from '../../../kernel/token.ts';
import type { Database } from '../../tables.ts';
import { getPartner } from '../partners/partners.ts';
import type { TokenAccess } from './tokens.ts';

interface TokenOptions {
  days: number | null;
  label?: string | undefined;
  access?: TokenAccess;
}

/** `partner` is an id or a name. Throws an OperatorError for an unknown partner. */
export async function issueToken(db: Database, partner: string, { days, ...options }: TokenOptions) {
  const { id } = await getPartner(db, partner);
  const token = generateToken();
  const expiresAt = days === null ? null : sql<Date>`now() + make_interval(days => ${days}::integer)`;
  const row = { ...options, partnerId: id, tokenHash: hashToken(token), expiresAt };
  const inserted = db.insertInto('partnerTokens').values(row).returning(['id', 'expiresAt']);
  return { ...(await inserted.executeTakeFirstOrThrow()), token };
}
