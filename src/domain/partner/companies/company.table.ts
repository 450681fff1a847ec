import type { Generated } from 'kysely';

export interface CompaniesTable {
  id: Generated<number>;
  nameEn: string;
  nameAr: string;
  addressLine: string | null;
  cityId: number;
}
