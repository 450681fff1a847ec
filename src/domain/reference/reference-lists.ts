import { type Locale, sortByName } from '../../kernel/localization/locale.ts';
import type { Database } from '../tables.ts';
import { canonicalTimeZone, isTimeZone, type LookupListName, type LookupName, lookupListNames } from './lists.ts';
import { weekDays } from './lookups.ts';
import {
  type LookupRow,
  listLookup,
  selectCities,
  selectCountries,
  selectServices,
  selectTimezones,
  sortCountries,
  sortTimezones,
} from './queries.ts';

/** The lists of reference data at one version. All requests share them, so nobody may change them. */
export type ReferenceLists = Awaited<ReturnType<typeof loadReferenceLists>>;

/** Loads all lists. Leaves out the time zones that this Node does not know, because they have no offset. */
export async function loadReferenceLists(db: Database) {
  const [cities, countries, services, stored, ...lookupRows] = await Promise.all([
    selectCities(db).execute(),
    selectCountries(db).execute(),
    selectServices(db).execute(),
    selectTimezones(db).execute(),
    ...lookupListNames.map((list) => listLookup(db, list)),
  ]);
  const timezones = stored.filter(({ name }) => isTimeZone(name));
  const lists = {
    cities: listOf(cities, sortByName),
    countries: listOf(countries, sortCountries),
    services: listOf(services),
    timezones: listOf(timezones, sortTimezones),
  };
  const lookups = Object.fromEntries(lookupListNames.map((list, index) => [list, lookupRows[index]])) as Record<
    LookupListName,
    LookupRow[]
  >;
  const sizes = [
    ...Object.entries(lists).map(([name, { byId }]) => [name, byId.size]),
    ...Object.entries(lookups).map(([name, rows]) => [name, rows.length]),
    ['week_days', weekDays.length],
  ];
  return {
    ...lists,
    /** The entries of each lookup that is a list. */
    lookups,
    /** The number of entries of each list and lookup. */
    lengths: Object.fromEntries(sizes) as Record<keyof typeof lists | LookupName, number>,
    /** Time zones by the one name that this Node has for each, and by their own, which wins. */
    timezonesByName: new Map([
      ...timezones.map((row) => [canonicalTimeZone(row.name) as string, row] as const),
      ...timezones.map((row) => [row.name, row] as const),
    ]),
    unknownTimezones: stored.filter((row) => !timezones.includes(row)).map(({ name }) => name),
  };
}

/** The time zone of the list that has this name, or is another name of it. */
export function findTimezone({ timezonesByName }: ReferenceLists, name: string) {
  return timezonesByName.get(name) ?? timezonesByName.get(canonicalTimeZone(name) ?? '');
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
