import { sql } from 'kysely';
import { type Columns, id, name, text } from '../files/columns.ts';
import type { FileKind } from '../files/file-kind.ts';

export interface ReferenceList {
  /** The noun for an entry with its article. */
  one: string;
  columns: Columns;
  /** The unique column besides `id`. */
  unique?: string;
  references?: FileKind['references'];
  /** Columns of other tables that reference an entry. */
  referencedBy?: [table: string, column: string, key: string][];
}

const names = { name_en: name(), name_ar: name() };
const code = text((value) => /^[\w.-]{1,100}$/.test(value), 'up to 100 letters, digits and _.-');

// Each list follows the lists that it references.
const lists = {
  countries: {
    one: 'a country',
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
    one: 'a city',
    columns: { id, code, country_id: id, ...names },
    unique: 'code',
    references: { country_id: { table: 'countries', one: 'country' } },
    referencedBy: [
      ['companies', 'city_id', 'id'],
      ['branches', 'city_id', 'id'],
    ],
  },
  timezones: {
    one: 'a time zone',
    columns: { id, name: text(isTimeZone, 'an IANA time zone, such as Asia/Riyadh') },
    unique: 'name',
  },
  services: {
    one: 'a service',
    columns: { id, code, ...names },
    unique: 'code',
    referencedBy: [['branch_services', 'service_id', 'branch_id']],
  },
  brand_types: { one: 'a brand type', columns: { id, ...names } },
  cuisine_types: { one: 'a cuisine type', columns: { id, ...names } },
  applications: { one: 'an application', columns: { id, name: name() } },
} satisfies Record<string, ReferenceList>;

export type ReferenceListName = keyof typeof lists;

export const referenceLists: Record<ReferenceListName, ReferenceList> = lists;

export const referenceListNames = Object.keys(lists) as ReferenceListName[];

/** Lists whose shipped entries are samples. */
export const sampleLists: readonly ReferenceListName[] = ['brand_types', 'cuisine_types', 'applications'];

export function columnsOf(list: ReferenceListName): string[] {
  return Object.keys(referenceLists[list].columns);
}

/** The kind of file that a list is imported from. `isWhole` frees the codes of entries that the file lacks. */
export function fileOf(list: ReferenceListName, { isWhole }: { isWhole: boolean }): FileKind {
  const { one, columns, references, unique } = referenceLists[list];
  const code = sql.id(unique ?? 'id');
  const others = sql`select id, ${code} from ${sql.table(list)} where id not in (select id from file)`;
  const taken = sql<never>`select line, ${sql.lit(unique)}, format('%s is taken: id %s has it', ${code}, other.id)
    from file join (select id, ${code} from file ${isWhole ? sql`` : sql`union all ${others}`}) as other using (${code})
    where other.id <> file.id`;
  return {
    table: list,
    one,
    columns,
    written: columnsOf(list),
    ...(references && { references }),
    rules: unique === undefined ? [] : [taken],
  };
}

function isTimeZone(value: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: value });
    return /^[A-Z]/.test(value);
  } catch {
    return false;
  }
}
