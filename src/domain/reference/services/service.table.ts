import type { Generated } from 'kysely';

export interface ServicesTable {
  id: Generated<number>;
  code: string;
  nameEn: string;
  nameAr: string;
}
