import type { Selectable } from 'kysely';
import { anyOf } from '../database/any-of.ts';
import type { Database } from '../database/database.ts';
import { pickByKey } from '../request/group.ts';
import type { Batch } from '../request/loaders.ts';
import type { CountriesTable } from './country.table.ts';

export type CountryRow = Selectable<CountriesTable>;

const columns = ['id', 'shortCode', 'dialCode', 'nameEn', 'nameAr'] as const;

/** Every country, by id. */
export async function listCountries(db: Database): Promise<CountryRow[]> {
  return db.selectFrom('countries').select(columns).orderBy('id').execute();
}

export const countriesById: Batch<number, CountryRow | undefined> = {
  async load(db, ids) {
    const rows = await db.selectFrom('countries').select(columns).where('id', '=', anyOf(ids)).execute();
    return pickByKey(ids, rows, (row) => row.id);
  },
};
