import type { Locale } from '../../kernel/localization/locale.ts';
import { sortByName } from '../../kernel/localization/localized-name.ts';
import type { Database } from '../tables.ts';
import { selectCities } from './cities/city.queries.ts';
import { selectCountries, sortCountries } from './countries/country.queries.ts';
import { selectApplications, selectBrandTypes, selectCuisineTypes } from './lookups/lookup.queries.ts';
import { weekDays } from './lookups/week-days.ts';
import { selectServices } from './services/service.queries.ts';
import { isTimeZone, selectTimezones, sortTimezones } from './timezones/timezone.queries.ts';

/** The lists of reference data at one version. All requests share them, so nobody may change them. */
export type ReferenceLists = Awaited<ReturnType<typeof loadReferenceLists>>;

/** Loads all lists. Leaves out the time zones that this Node does not know, because they have no offset. */
export async function loadReferenceLists(db: Database) {
  const [applications, brandTypes, cities, countries, cuisineTypes, services, stored] = await Promise.all([
    selectApplications(db).execute(),
    selectBrandTypes(db).execute(),
    selectCities(db).execute(),
    selectCountries(db).execute(),
    selectCuisineTypes(db).execute(),
    selectServices(db).execute(),
    selectTimezones(db).execute(),
  ]);
  const timezones = stored.filter(({ name }) => isTimeZone(name));
  const lists = {
    applications: listOf(applications),
    brandTypes: listOf(brandTypes),
    cities: listOf(cities, sortByName),
    countries: listOf(countries, sortCountries),
    cuisineTypes: listOf(cuisineTypes),
    services: listOf(services),
    timezones: listOf(timezones, sortTimezones),
  };
  const sizes = Object.entries(lists).map(([name, { byId }]) => [name, byId.size]);
  const lengths = Object.fromEntries(sizes) as Record<keyof typeof lists, number>;
  return {
    ...lists,
    /** The number of entries of each list. */
    lengths: { ...lengths, weekDays: weekDays.length },
    unknownTimezones: stored.filter((row) => !timezones.includes(row)).map(({ name }) => name),
  };
}

/** A list in the order of each locale, and its entries by id. */
function listOf<Row extends { id: number }>(
  rows: Row[],
  sort: (rows: Row[], locale: Locale) => Row[] = (each) => each,
): { inOrder: Record<Locale, Row[]>; byId: ReadonlyMap<number, Row> } {
  return {
    inOrder: { en: sort(rows, 'en'), ar: sort(rows, 'ar') },
    byId: new Map(rows.map((row) => [row.id, row])),
  };
}
