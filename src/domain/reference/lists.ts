import { id, name, names, text } from '../files/columns.ts';
import type { FileFormat } from '../files/file-format.ts';
import applications from './seed/lists/applications.json' with { type: 'json' };
import brandTypes from './seed/lists/brand-types.json' with { type: 'json' };
import cities from './seed/lists/cities.json' with { type: 'json' };
import countries from './seed/lists/countries.json' with { type: 'json' };
import cuisineTypes from './seed/lists/cuisine-types.json' with { type: 'json' };
import services from './seed/lists/services.json' with { type: 'json' };
import timezones from './seed/lists/timezones.json' with { type: 'json' };

interface ReferenceList extends Pick<FileFormat, 'columns' | 'references'> {
  shipped: Record<string, unknown>[];
  isSample?: boolean;
  lookup?: string;
}

const code = text((value) => /^[\w.-]{1,100}$/.test(value), 'up to 100 letters, digits and _.-');

// By table name. Lists follow the lists that they reference.
const lists = {
  countries: {
    columns: {
      id,
      short_code: text((value) => /^[A-Z]{2}$/.test(value), 'two capital letters'),
      dial_code: text((value) => /^\+\d{1,4}$/.test(value), 'a plus sign and 1 to 4 digits'),
      ...names(),
    },
    shipped: countries,
  },
  cities: {
    columns: { id, code, country_id: id, ...names() },
    shipped: cities,
    references: { country_id: 'countries' },
  },
  timezones: {
    columns: {
      id,
      name: text((value) => /^[A-Z]/.test(value) && isTimeZone(value), 'an IANA time zone, such as Asia/Riyadh'),
    },
    shipped: timezones,
  },
  services: {
    columns: { id, code, ...names() },
    shipped: services,
    lookup: 'Services a branch can offer.',
  },
  brand_types: {
    columns: { id, ...names() },
    shipped: brandTypes,
    isSample: true,
    lookup: 'Brand types assignable to a brand.',
  },
  cuisine_types: {
    columns: { id, ...names() },
    shipped: cuisineTypes,
    isSample: true,
    lookup: 'Cuisine types assignable to a brand.',
  },
  applications: {
    columns: { id, name: name() },
    shipped: applications,
    isSample: true,
    lookup: 'Partner applications of the platform; never translated.',
  },
} satisfies Record<string, ReferenceList>;

export type ReferenceListName = keyof typeof lists;

export const referenceListNames = Object.keys(lists) as ReferenceListName[];

export function toFileFormat(list: ReferenceListName): FileFormat {
  return { ...lists[list], table: list, isDeletable: true };
}

export function getShippedRows(list: ReferenceListName): Pick<ReferenceList, 'shipped' | 'isSample'> {
  return lists[list];
}

export type LookupListName = {
  [Name in ReferenceListName]: (typeof lists)[Name] extends { lookup: string } ? Name : never;
}[ReferenceListName];

export type LookupName = LookupListName | 'week_days';

const lookupEntries = Object.entries<ReferenceList>(lists).flatMap(([list, { lookup }]) =>
  lookup ? [[list, lookup]] : [],
);

export const lookupListNames = lookupEntries.map(([list]) => list) as LookupListName[];

export const lookups = {
  ...Object.fromEntries(lookupEntries),
  week_days: 'The seven days of the week, from Sunday, for opening hours.',
} as Record<LookupName, string>;

const supportedTimeZones = new Set(Intl.supportedValuesOf('timeZone'));

const maxNameLength = 100;

/** Asia/Kolkata for Asia/Calcutta too; undefined for an unknown name. */
export function findCanonicalTimeZone(name: string): string | undefined {
  // Creating a format is slow.
  if (supportedTimeZones.has(name)) return name;
  if (name.length > maxNameLength) return undefined;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

export function isTimeZone(name: string): boolean {
  return findCanonicalTimeZone(name) !== undefined;
}
