import { inTransaction } from '../../../platform/database/transaction.ts';
import { createBranch } from '../../partner/companies/branch.queries.ts';
import { insertCompany } from '../../partner/companies/company.queries.ts';
import { insertPartner } from '../../partner/partners/partner.queries.ts';
import { createProductTag } from '../../partner/product-tags/product-tag.service.ts';
import type { Database } from '../../tables.ts';
import { getCityId } from '../cities/city.queries.ts';
import { getServiceIds } from '../services/service.queries.ts';
import { type DemoCompany, demoCompanies } from './demo-data.ts';
import { seedReferenceData } from './reference.ts';

/**
 * Fills the sample lists that are empty, and adds each demo partner that is missing, with a company, branches and items. Returns the
 * names of these partners. Throws a StartError when the lists lack a city or service of them.
 */
export async function seedDemo(db: Database): Promise<string[]> {
  return inTransaction(db, async (transaction) => {
    await seedReferenceData(transaction, { samples: true });
    const partners = await transaction.selectFrom('partners').select('name').execute();
    const missing = demoCompanies.filter(({ partner }) => partners.every(({ name }) => name !== partner));
    for (const company of missing) await insertDemoCompany(transaction, company);
    return missing.map(({ partner }) => partner);
  });
}

async function insertDemoCompany(
  transaction: Database,
  { partner, company, cityCode, branches, items, tags = [] }: DemoCompany,
): Promise<void> {
  const cityId = await getCityId(transaction, cityCode);
  const companyId = await insertCompany(transaction, { ...company, cityId });
  const partnerId = await insertPartner(transaction, { name: partner, defaultCompanyId: companyId });
  for (const { cityCode, services, ...branch } of branches) {
    const cityId = await getCityId(transaction, cityCode);
    await createBranch(transaction, { companyId, ...branch, cityId }, await getServiceIds(transaction, services));
  }
  const inserted = await transaction
    .insertInto('items')
    .values(items.map((item) => ({ ...item, companyId })))
    .returning(['id', 'nameEn'])
    .execute();
  for (const { items: names, ...tag } of tags) {
    const itemIds = inserted.filter(({ nameEn }) => names.includes(nameEn)).map(({ id }) => id);
    await createProductTag(transaction, { tokenId: 0, partnerId, companyId }, { ...tag, itemIds });
  }
}
