import { inTransaction } from '../../../platform/database/transaction.ts';
import { createBranch } from '../../partner/companies/branch.queries.ts';
import { insertCompany } from '../../partner/companies/company.queries.ts';
import { insertPartner } from '../../partner/partners/partner.queries.ts';
import { createProductTag } from '../../partner/product-tags/product-tag.service.ts';
import type { Database } from '../../tables.ts';
import { getCityId } from '../cities/city.queries.ts';
import { getServiceIds } from '../services/service.queries.ts';
import { type DemoCompany, demoCompanies, demoPartner } from './demo-data.ts';
import { seedReferenceData } from './reference.ts';

/**
 * Fills the sample lists that are empty and adds the demo partners with companies, branches and items, unless they are there already.
 * Needs the other reference data.
 */
export async function seedDemo(db: Database): Promise<void> {
  await inTransaction(db, async (transaction) => {
    await seedReferenceData(transaction, { samples: true });
    const known = await transaction
      .selectFrom('partners')
      .select('id')
      .where('name', '=', demoPartner)
      .executeTakeFirst();
    if (known !== undefined) return;
    for (const company of demoCompanies) await insertDemoCompany(transaction, company);
  });
}

async function insertDemoCompany(
  transaction: Database,
  { partner, company, cityCode, branches, items, tags = [] }: DemoCompany,
): Promise<void> {
  const companyId = await insertCompany(transaction, { ...company, cityId: await getCityId(transaction, cityCode) });
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
