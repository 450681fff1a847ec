import type { ColumnType, Generated, RawBuilder } from 'kysely';

export interface CompaniesTable {
  id: Generated<number>;
  nameEn: string;
  nameAr: string;
  addressLine: string | null;
  cityId: number;
  /** Since when the tokens of its partners are rejected. */
  suspendedAt: ColumnType<Date | null, never, RawBuilder<Date> | null>;
}
