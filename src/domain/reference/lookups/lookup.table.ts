import type { Generated } from 'kysely';

export interface BrandTypesTable {
  id: Generated<number>;
  nameEn: string;
  nameAr: string;
}

export interface CuisineTypesTable {
  id: Generated<number>;
  nameEn: string;
  nameAr: string;
}

export interface ApplicationsTable {
  id: Generated<number>;
  name: string;
}
