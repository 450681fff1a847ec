import { type RawBuilder, sql } from 'kysely';
import { AppError } from '../../kernel/errors/app-error.ts';
import { unprepared } from '../../platform/database/prepared-plans.ts';

const maxIds = 100;

/** Throws `invalid_parameter` for more than 100 ids; `parameter` is the argument. */
export function checkIdCount(ids: readonly number[] | null | undefined, parameter: string): void {
  if (ids && ids.length > maxIds)
    throw new AppError('invalid_parameter', { values: { parameter, expected: 'idList' } });
}

/** Null and blank texts do not filter. Texts that are too long do, so that `parseSearch` rejects them. */
export function isSet(argument: unknown): boolean {
  if (typeof argument === 'string') return argument.length > maxSearchLength || argument.trim() !== '';
  return argument != null;
}

const maxWords = 8;

const maxSearchLength = 255;

/** The distinct words; undefined for a blank text. Throws `invalid_parameter`. */
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

/** Clamps years that PostgreSQL cannot store. No row is older or newer. */
export function toStorableTime(time: Date): string {
  return new Date(Math.min(Math.max(time.getTime(), 0), newest)).toISOString();
}

/** Larger sets are thousands and rare, so their statements are not prepared. */
const commonFilters = 2;

export function buildConditions(
  companyCondition: RawBuilder<unknown>,
  ...filters: (RawBuilder<unknown> | false | null | undefined)[]
): RawBuilder<unknown> {
  const set = filters.filter((filter) => filter != null && filter !== false);
  const marker = set.length > commonFilters ? unprepared : sql``;
  return sql`${sql.join([companyCondition, ...set], sql` and `)} ${marker}`;
}

/** The `case` hides the condition from the planner, which expects too few matches and would sort all of them. */
export function containsWords(words: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`case when search_text like all ((
    select array_agg('%' || regexp_replace(search_form(word), '[\\\\%_]', '\\\\\\&', 'g') || '%')
    from unnest(${words}::text[]) as word
  )::text[]) then true else false end`;
}
