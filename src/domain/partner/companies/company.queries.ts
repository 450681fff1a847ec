import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import { anyOf } from '../../../platform/database/any-of.ts';
import { statement } from '../../../platform/database/statement.ts';
import { pickByKey } from '../../request/group.ts';
import type { Batch } from '../../request/loaders.ts';
import type { Database } from '../../tables.ts';
import type { CompaniesTable } from './company.table.ts';

type CompanyRow = Omit<Selectable<CompaniesTable>, 'suspendedAt'>;

const selectByIds = statement((db: Database, { ids }: { ids: readonly number[] }) =>
  db.selectFrom('companies').select(['id', 'nameEn', 'nameAr', 'addressLine', 'cityId']).where('id', '=', anyOf(ids)),
);

export const companiesById: Batch<number, CompanyRow | undefined> = {
  async load(db, ids) {
    return pickByKey(ids, await selectByIds(db, { ids }), (row) => row.id);
  },
};

/** Whether there is a company of that id. */
export async function hasCompany(db: Database, id: number): Promise<boolean> {
  return (await db.selectFrom('companies').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;
}

/** Adds a company and returns its id. */
export async function insertCompany(db: Database, company: Insertable<CompaniesTable>): Promise<number> {
  const { id } = await db.insertInto('companies').values(company).returning('id').executeTakeFirstOrThrow();
  return id;
}

export async function updateCompany(db: Database, id: number, changes: Updateable<CompaniesTable>): Promise<void> {
  await db.updateTable('companies').set(changes).where('id', '=', id).execute();
}

/** Rejects the tokens of a company's partners, or accepts them again. Suspending twice keeps the first time. */
export async function suspendCompany(db: Database, id: number, isSuspended: boolean): Promise<void> {
  await updateCompany(db, id, { suspendedAt: isSuspended ? sql<Date>`least(suspended_at, now())` : null });
}

export interface CompanySummary {
  id: number;
  nameEn: string;
  nameAr: string;
  addressLine: string | null;
  /** Its name in English. */
  city: string;
  /** Its short code. */
  country: string;
  suspendedAt: Date | null;
}

/** Every company by id, with its city and country. */
export async function listCompanies(db: Database): Promise<CompanySummary[]> {
  return db
    .selectFrom('companies')
    .innerJoin('cities', 'cities.id', 'companies.cityId')
    .innerJoin('countries', 'countries.id', 'cities.countryId')
    .select([
      'companies.id',
      'companies.nameEn',
      'companies.nameAr',
      'companies.addressLine',
      'cities.nameEn as city',
      'countries.shortCode as country',
      'companies.suspendedAt',
    ])
    .orderBy('companies.id')
    .execute();
}
