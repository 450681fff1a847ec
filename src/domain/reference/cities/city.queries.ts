import { StartError } from '../../../kernel/errors/start-error.ts';
import { sortByName } from '../../../kernel/localization/localized-name.ts';
import { anyOf } from '../../../platform/database/any-of.ts';
import { type ReferenceKeys, rowsById, rowsInOrder } from '../../request/batches.ts';
import type { Database } from '../../tables.ts';

function selectCities(db: Database) {
  return db.selectFrom('cities').select(['id', 'countryId', 'nameEn', 'nameAr']);
}

export const citiesById = rowsById((db, { keys }: ReferenceKeys) =>
  selectCities(db).where('id', '=', anyOf(keys)).execute(),
);

/** Every city, by the name in the locale. */
export const citiesInOrder = rowsInOrder((db) => selectCities(db).execute(), sortByName);

/** The id of a city, given that or its code. Throws a StartError when there is none. */
export async function getCityId(db: Database, idOrCode: string): Promise<number> {
  const id = /^\d{1,9}$/.test(idOrCode) ? Number(idOrCode) : 0;
  const city = await selectCities(db)
    .where((where) => where.or([where('id', '=', id), where('code', '=', idOrCode)]))
    .executeTakeFirstOrThrow(() => new StartError(`There is no city "${idOrCode}". Run city list to see the cities.`));
  return city.id;
}

/** The cities by country and name, with their codes: all of them, or those of one country by its code. */
export async function listCities(db: Database, country: string | undefined) {
  return db
    .selectFrom('cities')
    .innerJoin('countries', 'countries.id', 'cities.countryId')
    .select(['cities.id', 'cities.code', 'countries.shortCode as country', 'cities.nameEn', 'cities.nameAr'])
    .$if(country !== undefined, (query) => query.where('countries.shortCode', '=', country as string))
    .orderBy('countries.shortCode')
    .orderBy('cities.nameEn')
    .execute();
}
