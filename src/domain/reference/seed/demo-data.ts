import type { ItemTypeValue } from '../../tables.ts';
import companies from './demo.json' with { type: 'json' };

export interface DemoCompany {
  partner: string;
  company: { nameEn: string; nameAr: string; addressLine: string | null };
  cityCode: string;
  branches: { nameEn: string; nameAr: string; addressLine: string | null; cityCode: string; services: string[] }[];
  items: { itemType: ItemTypeValue; nameEn: string; nameAr: string }[];
  /** With the English names of the items that carry them. */
  tags?: { nameEn: string; nameAr: string; items: string[] }[];
}

/** The partner that the demo token is for. */
export const demoPartner = 'Demo Partner';

/** Two partners with a company each, so that developers can try what one may not do with the other's items. */
export const demoCompanies = companies as DemoCompany[];
