import type { Generated } from 'kysely';

export interface CountriesTable {
  id: Generated<number>;
  shortCode: string;
  dialCode: string;
  nameEn: string;
  nameAr: string;
}
