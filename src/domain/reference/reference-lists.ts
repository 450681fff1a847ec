import { type Locale, sortByName } from '../../kernel/localization/locale.ts';
import type { Database } from '../tables.ts';
import { findCanonicalTimeZone, isTimeZone, type LookupListName, type LookupName, lookupListNames } from './lists.ts';
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

/** All requests share them, so nobody may change them. */
export type ReferenceLists = Awaited<ReturnType<typeof loadReferenceLists>>;

/** Leaves out time zones that this Node does not know: they have no offset. */
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
    cities: toSortedList(cities, sortByName),
    countries: toSortedList(countries, sortCountries),
    services: toSortedList(services),
    timezones: toSortedList(timezones, sortTimezones),
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
    lookups,
    lengths: Object.fromEntries(sizes) as Record<keyof typeof lists | LookupName, number>,
    /** By canonical name and by stored name, which wins. */
    timezonesByName: new Map([
      ...timezones.map((row) => [findCanonicalTimeZone(row.name) as string, row] as const),
      ...timezones.map((row) => [row.name, row] as const),
    ]),
    unknownTimezones: stored.filter((row) => !timezones.includes(row)).map(({ name }) => name),
  };
}

export function findTimezone({ timezonesByName }: ReferenceLists, name: string) {
  return timezonesByName.get(name) ?? timezonesByName.get(findCanonicalTimeZone(name) ?? '');
}

function toSortedList<Row extends { id: number }>(
  rows: Row[],
  sort: (rows: Row[], locale: Locale) => Row[] = (unsorted) => unsorted,
): { inOrder: Record<Locale, Row[]>; byId: ReadonlyMap<number, Row> } {
  return {
    inOrder: { en: sort(rows, 'en'), ar: sort(rows, 'ar') },
    byId: new Map(rows.map((row) => [row.id, row])),
  };
}
