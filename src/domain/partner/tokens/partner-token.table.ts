import type { ColumnType, Generated } from 'kysely';

export interface PartnerTokensTable {
  id: Generated<number>;
  partnerId: number;
  /** SHA-256 of the token, in hex. */
  tokenHash: string;
  createdAt: ColumnType<Date, never, never>;
  expiresAt: Date | null;
  revokedAt: Date | null;
  /** To the minute: it is written now and then, not with each request. */
  lastUsedAt: Date | null;
}
