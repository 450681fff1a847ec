import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { insertCompany } from '../../src/domain/partner/companies/companies.ts';
import { insertPartner } from '../../src/domain/partner/partners/partners.ts';
import { issueToken } from '../../src/domain/partner/tokens/issue-token.ts';
import { getCityId } from '../../src/domain/reference/queries.ts';
import type { Database, ItemTypeValue } from '../../src/domain/tables.ts';

export type Tenant = Awaited<ReturnType<typeof createTenant>>;

/** Adds a partner with a company of its own, some products, a modifier group, a modifier, and a token. */
export async function createTenant(db: Database, { products = 5 } = {}) {
  const partnerName = `Partner ${randomUUID()}`;
  const cityId = await getCityId(db, 'saruh');
  const companyId = await insertCompany(db, { nameEn: 'Company', nameAr: 'شركة', addressLine: null, cityId });
  const partnerId = await insertPartner(db, { name: partnerName, defaultCompanyId: companyId });
  const token = (await issueToken(db, partnerName, { days: null })).token;
  const [modifierGroup = 0] = await insertItems(db, companyId, 'modifier_group', 1);
  const [modifier = 0] = await insertItems(db, companyId, 'modifier', 1);
  const productIds = await insertItems(db, companyId, 'product', products);
  return { partnerId, partnerName, companyId, token, products: productIds, modifierGroup, modifier };
}

export async function insertItems(
  db: Database,
  companyId: number,
  itemType: ItemTypeValue,
  count: number,
): Promise<number[]> {
  const values = Array.from({ length: count }, (_, index) => ({
    companyId,
    itemType,
    nameEn: `${itemType} ${index}`,
    nameAr: `صنف ${index}`,
  }));
  const rows = await db.insertInto('items').values(values).returning('id').execute();
  // As imports do.
  if (count >= 1_000) await sql`analyze items`.execute(db);
  return rows.map((row) => row.id).toSorted((a, b) => a - b);
}
