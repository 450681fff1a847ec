import { type Expression, type ExpressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely';
import { AppError } from '../../kernel/errors/app-error.ts';
import type { Tables } from '../tables.ts';

/** By the type of a filter: its argument, and the value that its condition gets. */
interface FilterTypes {
  boolean: { argument: boolean; value: boolean };
  /** The GraphQL type of the list names its values. */
  enum: { argument: string; value: string };
  ids: { argument: readonly number[]; value: readonly number[] };
  search: { argument: string; value: readonly string[] };
  time: { argument: Date; value: string };
}

export type FilterType = keyof FilterTypes;

/**
 * What a list reads because of a filter, which is its cost:
 * - `all`: all rows of the company
 * - `allByName`: all rows in the order of names; in that of ids, an index leads to the rows of the page
 */
export type Reads = 'all' | 'allByName';

interface FilterOf<Table extends keyof Tables, Type extends FilterType> {
  type: Type;
  /** The description of the argument, to which its cost is added. */
  description: string;
  reads: Reads;
  condition(
    where: ExpressionBuilder<Tables, Table>,
    value: FilterTypes[Type]['value'],
    companyId: number,
  ): Expression<SqlBool>;
}

/** A filter of a list: an argument in GraphQL, and a condition of the statement. */
type Filter<Table extends keyof Tables> = { [Type in FilterType]: FilterOf<Table, Type> }[FilterType];

/** The filters of a list by the names of their arguments. */
// biome-ignore lint/suspicious/noExplicitAny: each list has a table of its own
export type Filters<Table extends keyof Tables = any> = Record<string, Filter<Table>>;

/** The values of the filters that arguments set. */
export type FilterValues = Record<string, unknown>;

const maxIds = 100;

const newest = Date.UTC(9999);

/** Throws `invalid_parameter` for a list of more than 100 ids; `parameter` is its argument. */
export function requireShort(ids: readonly number[], parameter: string): void {
  if (ids.length > maxIds) throw new AppError('invalid_parameter', { values: { parameter, expected: 'idList' } });
}

const parsers: {
  [Type in FilterType]: (
    argument: FilterTypes[Type]['argument'],
    parameter: string,
  ) => FilterTypes[Type]['value'] | undefined;
} = {
  boolean: (isWanted) => isWanted,
  enum: (value) => value,
  ids(ids, parameter) {
    requireShort(ids, parameter);
    return ids;
  },
  search: parseSearch,
  // PostgreSQL cannot read every year that a client may write. No row is older or newer.
  time: (time) => new Date(Math.min(Math.max(time.getTime(), 0), newest)).toISOString(),
};

/** Whether an argument sets its filter: null and blank texts do not. A text that is too long for a search does, blank or not. */
export function isSet(argument: unknown): boolean {
  if (typeof argument === 'string') return argument.length > maxSearchLength || argument.trim() !== '';
  return argument != null;
}

/** The values of the filters that these arguments set. Throws `invalid_parameter` for arguments beyond their limits. */
export function parseFilters(filters: Filters, args: object): FilterValues {
  const values: FilterValues = {};
  for (const [name, { type }] of Object.entries(filters)) {
    const argument = (args as FilterValues)[name];
    if (isSet(argument)) values[name] = parsers[type](argument as never, name);
  }
  return values;
}

const maxWords = 8;

/** In characters, the longest name of an item. */
const maxSearchLength = 255;

/** The filter of a list by both names of its rows. */
export const search = {
  type: 'search',
  description:
    'Finds names that contain every word, in any order. Ignores case, accents, styles of quotes and dashes, and Arabic ' +
    'spelling variants (أ/ا, ة/ه, ى/ي). Up to 8 words and 255 characters (BAD_USER_INPUT otherwise).',
  reads: 'all',
  condition: (_where: unknown, words: readonly string[]) => containsWords(words),
} as const;

/** The different words of a search. Throws `invalid_parameter` for a text beyond the limits. */
function parseSearch(search: string, parameter: string): string[] {
  const length = search.length > 2 * maxSearchLength ? search.length : [...search].length;
  const text = length > maxSearchLength ? '' : search.normalize('NFKD');
  const words = [...new Set(text.match(/\S+/g))];
  // PostgreSQL rejects NUL, and no encoding can represent a lone surrogate.
  const isValid = length <= maxSearchLength && words.length <= maxWords && !/[\0\p{Cs}]/u.test(text);
  if (!isValid) throw new AppError('invalid_parameter', { values: { parameter, expected: 'searchText' } });
  return words;
}

/**
 * Whether a row contains all words, each in one of its names. A word that normalizes to nothing is everywhere. PostgreSQL
 * expects too few matches of the condition alone, and would sort all of them instead of reading rows in order.
 */
function containsWords(words: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`case when search_text like all ((
    select array_agg('%' || regexp_replace(search_form(word), '[\\\\%_]', '\\\\\\&', 'g') || '%')
    from unnest(${words}::text[]) as word
  )::text[]) then true else false end`;
}
