// Also direction controls that affect text beyond the name. Arabic needs joiners and direction marks.
const rejectedCharacters = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\uFFFD\u200B\uFEFF\u202A-\u202E\u2066-\u2069]/u;

// Some letters and symbols are blank: Hangul fillers, the empty braille pattern, the null note head.
const visibleCharacter = /[[\p{L}\p{N}\p{P}\p{S}]--[\p{Default_Ignorable_Code_Point}\u2800\u{1D159}]]/v;

/** Normalizing a run of combining marks takes quadratic time. */
const maxNormalizedLength = 512;

// Joiners, variation selectors and tags change the character before them, so they stay.
const invisible =
  /\s|[[\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]--[\u180B-\u180F\u200C\u200D\uFE00-\uFE0F\u{E0020}-\u{E007F}\u{E0100}-\u{E01EF}]]/v;

const maxTrimmedLength = 10_000;

/** Removes surrounding white space and invisible characters, which copied right-to-left text has. */
export function trimInvisible(text: string): string {
  if (text.length > maxTrimmedLength) return text;
  // A regular expression for trailing characters would take quadratic time.
  const characters = [...text];
  const isVisible = (character: string) => !invisible.test(character);
  const start = characters.findIndex(isVisible);
  return start < 0 ? '' : characters.slice(start, characters.findLastIndex(isVisible) + 1).join('');
}

export function normalizeName(name: string): string {
  const trimmed = trimInvisible(name);
  return trimmed.length > maxNormalizedLength ? trimmed : trimmed.normalize('NFC');
}

/** In Unicode code points, which the database counts too. */
export interface NameLength {
  min: number;
  max: number;
}

/** For partners, companies, branches and items; tags have their own limits. */
export const nameLength: NameLength = { min: 1, max: 255 };

export function validateName(
  name: string,
  { min, max }: NameLength,
): 'invalid_characters' | 'invalid_length' | undefined {
  if (name.length > maxNormalizedLength) return 'invalid_length';
  if (rejectedCharacters.test(name)) return 'invalid_characters';
  const length = [...name].length;
  if (length < min || length > max) return 'invalid_length';
  return visibleCharacter.test(name) ? undefined : 'invalid_characters';
}
