import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import { anyOf } from '../../../platform/database/any-of.ts';
import { statement } from '../../../platform/database/statement.ts';
import { pickByKey } from '../../request/group.ts';
import type { Batch } from '../../request/loaders.ts';
import type { Database } from '../../tables.ts';
import { isLive } from '../tokens/token.queries.ts';
import type { PartnersTable } from './partner.table.ts';

type PartnerRow = Omit<Selectable<PartnersTable>, 'suspendedAt'>;

const selectByIds = statement((db: Database, { ids }: { ids: readonly number[] }) =>
  db.selectFrom('partners').select(['id', 'name', 'defaultCompanyId']).where('id', '=', anyOf(ids)),
);

export const partnersById: Batch<number, PartnerRow | undefined> = {
  async load(db, ids) {
    return pickByKey(ids, await selectByIds(db, { ids }), (row) => row.id);
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

/** The partner of an id or a name; a name that is a number counts as an id first. */
export async function findPartner(db: Database, idOrName: string): Promise<PartnerRow | undefined> {
  const id = /^\d{1,9}$/.test(idOrName) ? Number(idOrName) : 0;
  return db
    .selectFrom('partners')
    .select(['id', 'name', 'defaultCompanyId'])
    .where((where) => where.or([where('id', '=', id), where('name', '=', idOrName)]))
    .orderBy((order) => order('id', '=', id), 'desc')
    .executeTakeFirst();
}

export async function updatePartner(db: Database, id: number, changes: Updateable<PartnersTable>): Promise<void> {
  await db.updateTable('partners').set(changes).where('id', '=', id).execute();
}

/** Rejects a partner's tokens, or accepts them again. Suspending twice keeps the first time. */
export async function suspendPartner(db: Database, id: number, isSuspended: boolean): Promise<void> {
  await updatePartner(db, id, { suspendedAt: isSuspended ? sql<Date>`least(suspended_at, now())` : null });
}

export interface PartnerSummary {
  id: number;
  name: string;
  liveTokens: number;
  companyId: number;
  companyNameEn: string;
  companyNameAr: string;
  suspendedAt: Date | null;
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
      'partners.suspendedAt',
    ])
    .groupBy(['partners.id', 'companies.id'])
    .orderBy('partners.id')
    .execute();
}
