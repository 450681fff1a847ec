import type { Selectable } from 'kysely';
import type { Locale } from '../../../kernel/localization/locale.ts';
import { sortByName } from '../../../kernel/localization/localized-name.ts';
import type { Database } from '../../tables.ts';
import { type CountryRow, countriesById } from '../countries/country.queries.ts';
import type { ReferenceRead, ReferenceSnapshot } from '../reference-snapshot.ts';
import type { CitiesTable } from './city.table.ts';

export type CityRow = Omit<Selectable<CitiesTable>, 'code'> & { country: CountryRow };

/** Every city by its id, with its country. */
export async function citiesById(snapshot: ReferenceSnapshot): Promise<Map<number, CityRow>> {
  const countries = await snapshot.of(countriesById);
  const rows = await snapshot.db.selectFrom('cities').select(['id', 'countryId', 'nameEn', 'nameAr']).execute();
  return new Map(rows.map((row) => [row.id, { ...row, country: countries.get(row.countryId) as CountryRow }]));
}

/** Every city, alphabetically in a locale. */
export const cityListing: Record<Locale, ReferenceRead<CityRow[]>> = {
  en: (snapshot) => listCities(snapshot, 'en'),
  ar: (snapshot) => listCities(snapshot, 'ar'),
};

async function listCities(snapshot: ReferenceSnapshot, locale: Locale): Promise<CityRow[]> {
  return sortByName([...(await snapshot.of(citiesById)).values()], locale);
}

/** The id of a city, given that or its code; undefined when there is none. */
export async function findCityId(db: Database, idOrCode: string): Promise<number | undefined> {
  const id = /^\d{1,9}$/.test(idOrCode) ? Number(idOrCode) : 0;
  const row = await db
    .selectFrom('cities')
    .select('id')
    .where((where) => where.or([where('id', '=', id), where('code', '=', idOrCode)]))
    .executeTakeFirst();
  return row?.id;
}

export interface CitySummary {
  id: number;
  code: string;
  /** Its short code. */
  country: string;
  nameEn: string;
  nameAr: string;
}

/** The cities, of one country (by its short code) if wanted, by country and name. */
export async function listCitySummaries(db: Database, country: string | undefined): Promise<CitySummary[]> {
  return db
    .selectFrom('cities')
    .innerJoin('countries', 'countries.id', 'cities.countryId')
    .select(['cities.id', 'cities.code', 'countries.shortCode as country', 'cities.nameEn', 'cities.nameAr'])
    .$if(country !== undefined, (query) => query.where('countries.shortCode', '=', country as string))
    .orderBy('countries.shortCode')
    .orderBy('cities.nameEn')
    .execute();
}
