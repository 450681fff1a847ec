// Control characters, line separators, halves of surrogate pairs (which no encoding can carry), the mark of text that was
// decoded wrongly, zero-width spaces, and controls of direction that reach beyond the name. Joiners and direction marks
// are part of Arabic text.
const refusedCharacters = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\uFFFD\u200B\uFEFF\u202A-\u202E\u2066-\u2069]/u;
const visibleCharacter = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** A name as it is stored: without white space around it, in Unicode's NFC. */
export function normalizeName(name: string): string {
  return name.trim().normalize('NFC');
}

/** Least and most characters of a name (Unicode code points, which is also what the database counts). */
export interface NameLength {
  min: number;
  max: number;
}

/** Of names that have no rule of their own: of partners, companies, branches and items. */
export const nameLength: NameLength = { min: 1, max: 255 };

/** What is wrong with a normalized name: its length, a control character, or none that is visible. */
export function faultOfName(
  name: string,
  { min, max }: NameLength,
): 'invalid_characters' | 'invalid_length' | undefined {
  if (refusedCharacters.test(name)) return 'invalid_characters';
  const length = [...name].length;
  if (length < min || length > max) return 'invalid_length';
  return visibleCharacter.test(name) ? undefined : 'invalid_characters';
}
