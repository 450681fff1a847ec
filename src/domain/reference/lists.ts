import { type Columns, id, name, text } from '../files/columns.ts';

export interface ReferenceList {
  columns: Columns;
  /** The column beside `id` that no two entries share. */
  unique?: string;
  /** Columns with the id of an entry of another list. */
  references?: Record<string, string>;
  /** Columns of other tables with the id of an entry. */
  referencedBy?: [table: string, column: string, key: string][];
}

const names = { name_en: name(), name_ar: name() };
const code = text((value) => /^[\w.-]{1,100}$/.test(value), 'up to 100 letters, digits and _.-');

// A list comes after those that it refers to.
const lists = {
  countries: {
    columns: {
      id,
      short_code: text((value) => /^[A-Z]{2}$/.test(value), 'two capital letters'),
      dial_code: text((value) => /^\+\d{1,4}$/.test(value), 'a plus sign and 1 to 4 digits'),
      ...names,
    },
    unique: 'short_code',
    referencedBy: [['cities', 'country_id', 'id']],
  },
  cities: {
    columns: { id, code, country_id: id, ...names },
    unique: 'code',
    references: { country_id: 'countries' },
    referencedBy: [
      ['companies', 'city_id', 'id'],
      ['branches', 'city_id', 'id'],
    ],
  },
  timezones: {
    columns: { id, name: text(isTimeZone, 'an IANA time zone, such as Asia/Riyadh') },
    unique: 'name',
  },
  services: {
    columns: { id, code, ...names },
    unique: 'code',
    referencedBy: [['branch_services', 'service_id', 'branch_id']],
  },
  brand_types: { columns: { id, ...names } },
  cuisine_types: { columns: { id, ...names } },
  applications: { columns: { id, name: name() } },
} satisfies Record<string, ReferenceList>;

export type ReferenceListName = keyof typeof lists;

/** Every list by the name of its table. */
export const referenceLists: Record<ReferenceListName, ReferenceList> = lists;

export const referenceListNames = Object.keys(lists) as ReferenceListName[];

/** Lists whose shipped entries are samples. */
export const sampleLists: readonly ReferenceListName[] = ['brand_types', 'cuisine_types', 'applications'];

/** The names of a list's columns. */
export function columnsOf(list: ReferenceListName): string[] {
  return Object.keys(referenceLists[list].columns);
}

function isTimeZone(value: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: value });
    return /^[A-Z]/.test(value);
  } catch {
    return false;
  }
}
