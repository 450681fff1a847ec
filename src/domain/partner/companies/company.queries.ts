import type { Insertable, Selectable } from 'kysely';
import { anyOf } from '../../../platform/database/any-of.ts';
import { pickByKey } from '../../request/group.ts';
import type { Batch } from '../../request/loaders.ts';
import type { Database } from '../../tables.ts';
import type { CompaniesTable } from './company.table.ts';

export const companiesById: Batch<number, Selectable<CompaniesTable> | undefined> = {
  async load(db, ids) {
    const rows = await db
      .selectFrom('companies')
      .select(['id', 'nameEn', 'nameAr', 'addressLine', 'cityId'])
      .where('id', '=', anyOf(ids))
      .execute();
    return pickByKey(ids, rows, (row) => row.id);
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

export interface CompanySummary {
  id: number;
  nameEn: string;
  nameAr: string;
  addressLine: string | null;
  /** Its name in English. */
  city: string;
  /** Its short code. */
  country: string;
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
    ])
    .orderBy('companies.id')
    .execute();
}
