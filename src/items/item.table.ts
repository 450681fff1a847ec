import type { Generated } from 'kysely';

export type ItemTypeValue = 'product' | 'modifier_group' | 'modifier';

export interface ItemsTable {
  id: Generated<number>;
  companyId: number;
  itemType: ItemTypeValue;
  nameEn: string;
  nameAr: string;
}
