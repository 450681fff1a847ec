import { type RawBuilder, sql } from 'kysely';
import { AppError } from '../../kernel/errors/app-error.ts';

const maxWords = 8;

/** In characters, the longest name of an item. */
export const maxSearchLength = 255;

/** The filter of a list by both names of its rows. */
export const search = {
  type: 'search',
  description:
    'Only entries whose names contain all words of this text, in any order: at most 8 different words and 255 characters ' +
    '(BAD_USER_INPUT otherwise). Case, accents, diacritics and tatweel do not count, nor does the form of a hamza, ة or ه, ' +
    'ى or ي, an apostrophe, a quote, a hyphen or a dash. A blank text is no search.',
  reads: 'all',
  condition: (_where: unknown, words: readonly string[]) => containsWords(words),
} as const;

/** The different words of a search. Throws `invalid_parameter` for a text beyond the limits. */
export function parseSearch(search: string, parameter: string): string[] {
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
