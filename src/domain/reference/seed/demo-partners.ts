import { createBranch } from '../../partner/companies/branches.ts';
import { insertCompany } from '../../partner/companies/companies.ts';
import { insertPartner, listPartners } from '../../partner/partners/partners.ts';
import { createProductTag } from '../../partner/product-tags/product-tag.service.ts';
import type { Database, ItemTypeValue } from '../../tables.ts';
import { selectServices } from '../queries.ts';
import companies from './demo.json' with { type: 'json' };

interface DemoCompany {
  partner: string;
  company: { nameEn: string; nameAr: string; addressLine: string | null };
  cityCode: string;
  branches: { nameEn: string; nameAr: string; addressLine: string | null; cityCode: string; services: string[] }[];
  items: { itemType: ItemTypeValue; nameEn: string; nameAr: string }[];
  /** `items` are English names. */
  tags?: { nameEn: string; nameAr: string; items: string[] }[];
}

export const demoPartner = 'Demo Partner';

/** Two partners, so that developers can see that one cannot access the other's data. */
export const demoCompanies = companies as DemoCompany[];

/** Adds missing demo partners and returns their names. Reports in `skipped` what refers to unknown cities or services. */
export async function addDemoPartners(transaction: Database, skipped: string[]): Promise<string[]> {
  const [partners, cities, services] = await Promise.all([
    listPartners(transaction),
    transaction.selectFrom('cities').select(['id', 'code']).execute(),
    selectServices(transaction).execute(),
  ]);
  const ids = new Map([...cities, ...services].map(({ id, code }) => [code, id]));
  const added: string[] = [];
  const missing = demoCompanies.filter(({ partner }) => partners.every(({ name }) => name !== partner));
  for (const company of missing) {
    const codes = [company.cityCode, ...company.branches.flatMap((branch) => [branch.cityCode, ...branch.services])];
    const unknownCodes = new Set(codes.filter((code) => !ids.has(code)));
    const isSkipped = unknownCodes.has(company.cityCode);
    const parts = isSkipped ? company.partner : `Branches or services of ${company.partner}`;
    if (unknownCodes.size > 0) skipped.push(`${parts} skipped: the lists have no ${[...unknownCodes].join(', ')}`);
    if (isSkipped) continue;
    await insertDemoCompany(transaction, company, ids);
    added.push(company.partner);
  }
  return added;
}

async function insertDemoCompany(
  transaction: Database,
  { partner, company, cityCode, branches, items, tags = [] }: DemoCompany,
  ids: Map<string, number>,
): Promise<void> {
  const companyId = await insertCompany(transaction, { ...company, cityId: ids.get(cityCode) as number });
  const partnerId = await insertPartner(transaction, { name: partner, defaultCompanyId: companyId });
  for (const { cityCode, services, ...branch } of branches) {
    const cityId = ids.get(cityCode);
    const serviceIds = services.flatMap((code) => ids.get(code) ?? []);
    if (cityId !== undefined) await createBranch(transaction, { companyId, ...branch, cityId }, serviceIds);
  }
  const inserted = await transaction
    .insertInto('items')
    .values(items.map((item) => ({ ...item, companyId })))
    .returning(['id', 'nameEn'])
    .execute();
  for (const { items: names, ...tag } of tags) {
    const itemIds = inserted.filter(({ nameEn }) => names.includes(nameEn)).map(({ id }) => id);
    const caller = { tokenId: 0, tokenLabel: null, access: 'full', partnerId, companyId } as const;
    await createProductTag({ db: transaction }, caller, { ...tag, itemIds });
  }
}
