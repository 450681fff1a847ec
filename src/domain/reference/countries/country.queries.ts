import type { Selectable } from 'kysely';
import { StartError } from '../../../kernel/errors/start-error.ts';
import type { Locale } from '../../../kernel/localization/locale.ts';
import { sortByName } from '../../../kernel/localization/localized-name.ts';
import type { Countries } from '../../tables.generated.ts';
import type { Database } from '../../tables.ts';
import type { ReferenceRead, ReferenceSnapshot } from '../reference-data.ts';

export type CountryRow = Selectable<Countries>;

/** Every country by its id. */
export async function countriesById({ db }: ReferenceSnapshot): Promise<Map<number, CountryRow>> {
  const rows = await db.selectFrom('countries').select(['id', 'shortCode', 'dialCode', 'nameEn', 'nameAr']).execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** Every country, Saudi Arabia first, then alphabetically in a locale. */
export const countryListing: Record<Locale, ReferenceRead<CountryRow[]>> = {
  en: (snapshot) => sortCountries(snapshot, 'en'),
  ar: (snapshot) => sortCountries(snapshot, 'ar'),
};

async function sortCountries(snapshot: ReferenceSnapshot, locale: Locale): Promise<CountryRow[]> {
  const countries = sortByName([...(await snapshot.of(countriesById)).values()], locale);
  const { first = [], others = [] } = Object.groupBy(countries, (row) => (row.shortCode === 'SA' ? 'first' : 'others'));
  return [...first, ...others];
}

/** Whether there are countries; without any, the reference data was never loaded. */
export async function hasCountries(db: Database): Promise<boolean> {
  return (await db.selectFrom('countries').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** Throws a StartError when there is no country of this code (ISO 3166-1, two letters). */
export async function ensureCountry(db: Database, code: string): Promise<void> {
  const country = await db.selectFrom('countries').select('id').where('shortCode', '=', code).executeTakeFirst();
  if (country !== undefined) return;
  throw new StartError(`There is no country "${code}". Country codes have two letters (ISO 3166).`);
}
