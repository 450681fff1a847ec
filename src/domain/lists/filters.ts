import { type RawBuilder, sql } from 'kysely';
import { AppError } from '../../kernel/errors/app-error.ts';
import { planWithValues } from '../../platform/database/prepared-plans.ts';

const maxIds = 100;

/** Throws `invalid_parameter` for a list of more than 100 ids; `parameter` is its argument. */
export function requireShort(ids: readonly number[] | null | undefined, parameter: string): void {
  if (ids && ids.length > maxIds)
    throw new AppError('invalid_parameter', { values: { parameter, expected: 'idList' } });
}

/** Whether an argument sets its filter: null and blank texts do not. A text that is too long for a search does, blank or not. */
export function isSet(argument: unknown): boolean {
  if (typeof argument === 'string') return argument.length > maxSearchLength || argument.trim() !== '';
  return argument != null;
}

const maxWords = 8;

/** In characters, the longest name of an item. */
const maxSearchLength = 255;

/** The different words of a search; undefined for a blank text. Throws `invalid_parameter` for a text beyond the limits. */
export function parseSearch(search: string | null | undefined): string[] | undefined {
  if (search == null || !isSet(search)) return undefined;
  const length = search.length > 2 * maxSearchLength ? search.length : [...search].length;
  const text = length > maxSearchLength ? '' : search.normalize('NFKD');
  const words = [...new Set(text.match(/\S+/g))];
  // PostgreSQL rejects NUL, and no encoding can represent a lone surrogate.
  const isValid = length <= maxSearchLength && words.length <= maxWords && !/[\0\p{Cs}]/u.test(text);
  if (!isValid) throw new AppError('invalid_parameter', { values: { parameter: 'search', expected: 'searchText' } });
  return words;
}

const newest = Date.UTC(9999);

/** PostgreSQL cannot read every year that a client may write. No row is older or newer. */
export function toStorableTime(time: Date): string {
  return new Date(Math.min(Math.max(time.getTime(), 0), newest)).toISOString();
}

/** Sets of more filters than these are thousands, and rarely used: their statements are planned each time. */
const commonFilters = 2;

/** SQL for the conditions of a list. Leaves out filters that are not set. */
export function buildConditions(
  isOfCompany: RawBuilder<unknown>,
  ...filters: (RawBuilder<unknown> | false | null | undefined)[]
): RawBuilder<unknown> {
  const set = filters.filter((filter) => filter != null && filter !== false);
  const planning = set.length > commonFilters ? planWithValues : sql``;
  return sql`${sql.join([isOfCompany, ...set], sql` and `)} ${planning}`;
}

/**
 * Whether a row contains all words, each in one of its names. A word that normalizes to nothing is everywhere. PostgreSQL
 * expects too few matches of the condition alone, and would sort all of them instead of reading rows in order.
 */
export function containsWords(words: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`case when search_text like all ((
    select array_agg('%' || regexp_replace(search_form(word), '[\\\\%_]', '\\\\\\&', 'g') || '%')
    from unnest(${words}::text[]) as word
  )::text[]) then true else false end`;
}
