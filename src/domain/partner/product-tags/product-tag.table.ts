import type { ColumnType, Generated } from 'kysely';

export interface ProductTagsTable {
  id: Generated<number>;
  companyId: number;
  nameEn: string;
  nameAr: string | null;
}

export interface ProductTaggingsTable {
  companyId: number;
  productTagId: number;
  itemId: number;
  itemType: Generated<'product'>;
  createdAt: ColumnType<Date, never, never>;
}
