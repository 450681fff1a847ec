import type { Generated } from 'kysely';

export const itemTypes = ['product', 'modifier_group', 'modifier'] as const;

export type ItemTypeValue = (typeof itemTypes)[number];

export interface ItemsTable {
  id: Generated<number>;
  companyId: number;
  itemType: ItemTypeValue;
  nameEn: string;
  nameAr: string;
}
