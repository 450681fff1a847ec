import type { Selectable } from 'kysely';
import type { Locale } from '../../../kernel/localization/locale.ts';
import { sortByName } from '../../../kernel/localization/localized-name.ts';
import type { Database } from '../../tables.ts';
import type { ReferenceRead, ReferenceSnapshot } from '../reference-snapshot.ts';
import type { CountriesTable } from './country.table.ts';

export type CountryRow = Selectable<CountriesTable>;

/** Whether there is a country of this code (ISO 3166-1, two letters). */
export async function hasCountry(db: Database, code: string): Promise<boolean> {
  return (await db.selectFrom('countries').select('id').where('shortCode', '=', code).executeTakeFirst()) !== undefined;
}

/** Whether there are countries; without any, the reference data was never loaded. */
export async function hasCountries(db: Database): Promise<boolean> {
  return (await db.selectFrom('countries').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** Every country by its id. */
export async function countriesById({ db }: ReferenceSnapshot): Promise<Map<number, CountryRow>> {
  const rows = await db.selectFrom('countries').select(['id', 'shortCode', 'dialCode', 'nameEn', 'nameAr']).execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** Every country, Saudi Arabia first, then alphabetically in a locale. */
export const countryListing: Record<Locale, ReferenceRead<CountryRow[]>> = {
  en: (snapshot) => listCountries(snapshot, 'en'),
  ar: (snapshot) => listCountries(snapshot, 'ar'),
};

async function listCountries(snapshot: ReferenceSnapshot, locale: Locale): Promise<CountryRow[]> {
  const countries = sortByName([...(await snapshot.of(countriesById)).values()], locale);
  const { first = [], others = [] } = Object.groupBy(countries, (row) => (row.shortCode === 'SA' ? 'first' : 'others'));
  return [...first, ...others];
}
