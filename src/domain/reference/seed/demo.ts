import type { Insertable } from 'kysely';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { ItemsTable } from '../../partner/items/item.table.ts';
import type { Database } from '../../tables.ts';
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

async function insertDemoCompany(transaction: Database, demo: DemoCompany): Promise<void> {
  const { id: companyId } = await transaction
    .insertInto('companies')
    .values({ ...demo.company, cityId: await getCityId(transaction, demo.cityCode) })
    .returning('id')
    .executeTakeFirstOrThrow();
  await transaction.insertInto('partners').values({ name: demo.partner, defaultCompanyId: companyId }).execute();
  for (const { cityCode, services, ...branch } of demo.branches) {
    const { id: branchId } = await transaction
      .insertInto('branches')
      .values({ ...branch, companyId, cityId: await getCityId(transaction, cityCode) })
      .returning('id')
      .executeTakeFirstOrThrow();
    await transaction
      .insertInto('branchServices')
      .columns(['companyId', 'branchId', 'serviceId'])
      .expression((query) =>
        query
          .selectFrom('services')
          .where('code', 'in', services)
          .select((select) => [
            select.lit(companyId).as('companyId'),
            select.lit(branchId).as('branchId'),
            'services.id',
          ]),
      )
      .execute();
  }
  const items: Insertable<ItemsTable>[] = demo.items.map((item) => ({ ...item, companyId }));
  await transaction.insertInto('items').values(items).execute();
  for (const tag of demo.tags ?? []) await insertDemoTag(transaction, companyId, tag);
}

async function insertDemoTag(transaction: Database, companyId: number, tag: NonNullable<DemoCompany['tags']>[number]) {
  const { items, ...names } = tag;
  const { id: productTagId } = await transaction
    .insertInto('productTags')
    .values({ ...names, companyId })
    .returning('id')
    .executeTakeFirstOrThrow();
  await transaction
    .insertInto('productTaggings')
    .columns(['companyId', 'productTagId', 'itemId'])
    .expression((query) =>
      query
        .selectFrom('items')
        .where('companyId', '=', companyId)
        .where('nameEn', 'in', items)
        .select((select) => ['companyId', select.lit(productTagId).as('productTagId'), 'id']),
    )
    .execute();
}

async function getCityId(db: Database, code: string): Promise<number> {
  const city = await db.selectFrom('cities').select('id').where('code', '=', code).executeTakeFirstOrThrow();
  return city.id;
}
