import type { ColumnType, Generated, RawBuilder } from 'kysely';

export interface PartnersTable {
  id: Generated<number>;
  name: string;
  defaultCompanyId: number;
  /** Since when its tokens are rejected. */
  suspendedAt: ColumnType<Date | null, never, RawBuilder<Date> | null>;
}
