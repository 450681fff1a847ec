import type { Selectable } from 'kysely';
import { type CountryRow, countriesById } from '../countries/country.queries.ts';
import { sortByName } from '../localization/collation.ts';
import type { Locale } from '../localization/locale.ts';
import type { ReferenceRead, ReferenceSnapshot } from '../reference-data/reference-snapshot.ts';
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
