import { id, name, names, text } from '../files/columns.ts';
import type { FileKind } from '../files/file-kind.ts';
import { isTimeZone } from './timezones/timezone.queries.ts';

const code = text((value) => /^[\w.-]{1,100}$/.test(value), 'up to 100 letters, digits and _.-');

// Each list follows the lists that it references.
const lists = {
  countries: {
    one: 'a country',
    columns: {
      id,
      short_code: text((value) => /^[A-Z]{2}$/.test(value), 'two capital letters'),
      dial_code: text((value) => /^\+\d{1,4}$/.test(value), 'a plus sign and 1 to 4 digits'),
      ...names(),
    },
    unique: 'short_code',
    referencedBy: [['cities', 'country_id', 'id']],
  },
  cities: {
    one: 'a city',
    columns: { id, code, country_id: id, ...names() },
    unique: 'code',
    references: { country_id: { table: 'countries', one: 'country' } },
    referencedBy: [
      ['companies', 'city_id', 'id'],
      ['branches', 'city_id', 'id'],
    ],
  },
  timezones: {
    one: 'a time zone',
    columns: {
      id,
      name: text((value) => /^[A-Z]/.test(value) && isTimeZone(value), 'an IANA time zone, such as Asia/Riyadh'),
    },
    unique: 'name',
  },
  services: {
    one: 'a service',
    columns: { id, code, ...names() },
    unique: 'code',
    referencedBy: [['branch_services', 'service_id', 'branch_id']],
  },
  brand_types: { one: 'a brand type', columns: { id, ...names() } },
  cuisine_types: { one: 'a cuisine type', columns: { id, ...names() } },
  applications: { one: 'an application', columns: { id, name: name() } },
} satisfies Record<string, Omit<FileKind, 'table' | 'file'>>;

export type ReferenceListName = keyof typeof lists;

export const referenceListNames = Object.keys(lists) as ReferenceListName[];

/** The kind of file that a list is imported from. */
export function fileOf(list: ReferenceListName): FileKind {
  return { ...lists[list], table: list, file: list };
}

/** Lists whose shipped entries are samples. */
export const sampleLists: readonly ReferenceListName[] = ['brand_types', 'cuisine_types', 'applications'];
