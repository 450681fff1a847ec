import type { ItemTypeValue } from '../../tables.ts';
import companies from './demo.json' with { type: 'json' };

export interface DemoCompany {
  partner: string;
  company: { nameEn: string; nameAr: string; addressLine: string | null };
  cityCode: string;
  branches: { nameEn: string; nameAr: string; addressLine: string | null; cityCode: string; services: string[] }[];
  items: { itemType: ItemTypeValue; nameEn: string; nameAr: string }[];
  /** `items` are the English names of the tagged items. */
  tags?: { nameEn: string; nameAr: string; items: string[] }[];
}

export const demoPartner = 'Demo Partner';

/** Two partners with a company each, so that developers can see that one cannot access the other's data. */
export const demoCompanies = companies as DemoCompany[];
