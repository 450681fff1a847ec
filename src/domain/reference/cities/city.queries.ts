import type { Selectable } from 'kysely';
import { StartError } from '../../../kernel/errors/start-error.ts';
import type { Locale } from '../../../kernel/localization/locale.ts';
import { sortByName } from '../../../kernel/localization/localized-name.ts';
import type { Cities } from '../../tables.generated.ts';
import type { Database } from '../../tables.ts';
import { type CountryRow, countriesById, ensureCountry } from '../countries/country.queries.ts';
import type { ReferenceRead, ReferenceSnapshot } from '../reference-data.ts';

export type CityRow = Omit<Selectable<Cities>, 'code'> & { country: CountryRow };

/** Every city by its id, with its country. */
export async function citiesById(snapshot: ReferenceSnapshot): Promise<Map<number, CityRow>> {
  const countries = await snapshot.of(countriesById);
  const rows = await snapshot.db.selectFrom('cities').select(['id', 'countryId', 'nameEn', 'nameAr']).execute();
  return new Map(rows.map((row) => [row.id, { ...row, country: countries.get(row.countryId) as CountryRow }]));
}

/** Every city, alphabetically in a locale. */
export const cityListing: Record<Locale, ReferenceRead<CityRow[]>> = {
  en: async (snapshot) => sortByName([...(await snapshot.of(citiesById)).values()], 'en'),
  ar: async (snapshot) => sortByName([...(await snapshot.of(citiesById)).values()], 'ar'),
};

/** The id of a city, given that or its code. Throws a StartError when there is none. */
export async function getCityId(db: Database, idOrCode: string): Promise<number> {
  const id = /^\d{1,9}$/.test(idOrCode) ? Number(idOrCode) : 0;
  const city = await db
    .selectFrom('cities')
    .select('id')
    .where((where) => where.or([where('id', '=', id), where('code', '=', idOrCode)]))
    .executeTakeFirst();
  if (city === undefined) throw new StartError(`There is no city "${idOrCode}". Run city list to see the cities.`);
  return city.id;
}

/** The cities by country and name: all of them, or those of one country by its code, which must exist. */
export async function listCities(db: Database, country: string | undefined) {
  if (country !== undefined) await ensureCountry(db, country);
  return db
    .selectFrom('cities')
    .innerJoin('countries', 'countries.id', 'cities.countryId')
    .select(['cities.id', 'cities.code', 'countries.shortCode as country', 'cities.nameEn', 'cities.nameAr'])
    .$if(country !== undefined, (query) => query.where('countries.shortCode', '=', country as string))
    .orderBy('countries.shortCode')
    .orderBy('cities.nameEn')
    .execute();
}
