import type { ColumnType } from 'kysely';

export interface IdempotencyKeysTable {
  companyId: number;
  partnerId: number;
  key: string;
  /** SHA-256 of the request, in hex. */
  requestHash: string;
  /** What the request was answered, as JSON. */
  answer: ColumnType<unknown, string, string>;
  createdAt: ColumnType<Date, never, Date>;
}
