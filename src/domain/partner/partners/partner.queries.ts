import { type Insertable, type Selectable, sql } from 'kysely';
import { anyOf } from '../../../platform/database/any-of.ts';
import { pickByKey } from '../../request/group.ts';
import type { Batch } from '../../request/loaders.ts';
import type { Database } from '../../tables.ts';
import { isLive } from '../tokens/token.queries.ts';
import type { PartnersTable } from './partner.table.ts';

type PartnerRow = Selectable<PartnersTable>;

export const partnersById: Batch<number, PartnerRow | undefined> = {
  async load(db, ids) {
    const rows = await db
      .selectFrom('partners')
      .select(['id', 'name', 'defaultCompanyId'])
      .where('id', '=', anyOf(ids))
      .execute();
    return pickByKey(ids, rows, (row) => row.id);
  },
};

/** The partner of that name, locked until the transaction ends. */
export async function lockPartnerByName(transaction: Database, name: string): Promise<PartnerRow | undefined> {
  return transaction
    .selectFrom('partners')
    .select(['id', 'name', 'defaultCompanyId'])
    .where('name', '=', name)
    .forUpdate()
    .executeTakeFirst();
}

/** Adds a partner and returns its id; undefined when another has that name. */
export async function insertPartner(db: Database, partner: Insertable<PartnersTable>): Promise<number | undefined> {
  const row = await db
    .insertInto('partners')
    .values(partner)
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

export interface PartnerSummary {
  id: number;
  name: string;
  liveTokens: number;
  companyId: number;
  companyNameEn: string;
  companyNameAr: string;
}

/** Every partner by id, with its default company. */
export async function listPartners(db: Database): Promise<PartnerSummary[]> {
  return db
    .selectFrom('partners')
    .innerJoin('companies', 'companies.id', 'partners.defaultCompanyId')
    .leftJoin('partnerTokens', (join) => join.onRef('partnerTokens.partnerId', '=', 'partners.id').on(isLive))
    .select([
      'partners.id',
      'partners.name',
      sql<number>`count(partner_tokens.id)::integer`.as('liveTokens'),
      'companies.id as companyId',
      'companies.nameEn as companyNameEn',
      'companies.nameAr as companyNameAr',
    ])
    .groupBy(['partners.id', 'companies.id'])
    .orderBy('partners.id')
    .execute();
}
