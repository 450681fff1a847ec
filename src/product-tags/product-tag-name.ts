import type { Refusal } from '../errors/refusal.ts';

/** Length of a name in characters (Unicode code points, which is also what the database's check counts). */
export const nameLength = { min: 3, max: 50 };

// Control characters, line separators, halves of surrogate pairs (which no encoding can carry), the mark of text that was
// decoded wrongly, zero-width spaces, and controls of direction that reach beyond the name. Joiners and direction marks
// are part of Arabic text.
const refusedCharacters = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\uFFFD\u200B\uFEFF\u202A-\u202E\u2066-\u2069]/u;
const visibleCharacter = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** A name as it is stored: without white space around it, in Unicode's NFC. */
export function normalizeName(name: string): string {
  return name.trim().normalize('NFC');
}

/** What is wrong with a normalized name: 3 to 50 characters, none of them a control character, one of them visible. */
export function refuseName<Field extends string>(field: Field, name: string): Refusal<Field>[] {
  if (refusedCharacters.test(name)) return [{ code: 'invalid_characters', field }];
  const length = [...name].length;
  if (length < nameLength.min || length > nameLength.max) {
    return [{ code: 'invalid_length', field, values: nameLength }];
  }
  return visibleCharacter.test(name) ? [] : [{ code: 'invalid_characters', field }];
}
