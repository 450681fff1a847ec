import type { Generated } from 'kysely';

export interface CitiesTable {
  id: Generated<number>;
  code: string;
  countryId: number;
  nameEn: string;
  nameAr: string;
}
