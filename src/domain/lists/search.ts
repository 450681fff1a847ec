import { AppError } from '../../kernel/errors/app-error.ts';

const maxWords = 8;

/** In characters, the longest name of an item. */
const maxLength = 255;

export const searchDescription =
  'Only entries whose names contain all words of this text, in any order: at most 8 different words and 255 characters ' +
  '(BAD_USER_INPUT otherwise). Case, accents, diacritics and tatweel do not count, nor does the form of a hamza, ة or ه, ' +
  'ى or ي, an apostrophe, a quote, a hyphen or a dash. A blank text is no search. Costs 2,500.';

export function isBlank(search: string | null | undefined): boolean {
  return search == null || search.trim() === '';
}

/** The different words of a search; undefined if it is blank. Throws `invalid_parameter` for a text beyond the limits. */
export function parseSearch(search: string | null | undefined): string[] | undefined {
  const length = search == null || search.length > 2 * maxLength ? search?.length : [...search].length;
  const text = length === undefined || length > maxLength ? '' : (search?.normalize('NFKD') ?? '');
  const words = [...new Set(text.match(/\S+/g))];
  // PostgreSQL rejects NUL, and no encoding can represent a lone surrogate.
  const isValid = (length ?? 0) <= maxLength && words.length <= maxWords && !/[\0\p{Cs}]/u.test(text);
  if (!isValid) throw new AppError('invalid_parameter', { values: { parameter: 'search', expected: 'searchText' } });
  return words.length === 0 ? undefined : words;
}
