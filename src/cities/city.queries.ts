import type { Selectable } from 'kysely';
import { anyOf } from '../database/any-of.ts';
import type { Database } from '../database/database.ts';
import { pickByKey } from '../request/group.ts';
import type { Batch } from '../request/loaders.ts';
import type { CitiesTable } from './city.table.ts';

export type CityRow = Pick<Selectable<CitiesTable>, 'id' | 'countryId' | 'nameEn' | 'nameAr'>;

const columns = ['id', 'countryId', 'nameEn', 'nameAr'] as const;

/** Every city, or those of one country, by id. */
export async function listCities(db: Database, countryId?: number): Promise<CityRow[]> {
  return db
    .selectFrom('cities')
    .select(columns)
    .$if(countryId !== undefined, (query) => query.where('countryId', '=', countryId as number))
    .orderBy('id')
    .execute();
}

export const citiesById: Batch<number, CityRow | undefined> = {
  async load(db, ids) {
    const rows = await db.selectFrom('cities').select(columns).where('id', '=', anyOf(ids)).execute();
    return pickByKey(ids, rows, (row) => row.id);
  },
};
