import type { Refusal } from '../errors/refusal.ts';

/** Length of a name in characters (Unicode code points, which is also what the database's check counts). */
const minLength = 3;
const maxLength = 50;

// Control characters, and halves of surrogate pairs, which no encoding can carry.
const refusedCharacters = /[\p{Cc}\p{Cs}]/u;

/** A name as it is stored: without white space around it, in Unicode's NFC. */
export function normalizeName(name: string): string {
  return name.trim().normalize('NFC');
}

/** What is wrong with a normalized name: 3 to 50 characters, none of them a control character. */
export function refuseName<Field extends string>(field: Field, name: string): Refusal<Field>[] {
  if (refusedCharacters.test(name)) return [{ code: 'invalid_characters', field }];
  const length = [...name].length;
  if (length < minLength || length > maxLength) {
    return [{ code: 'invalid_length', field, values: { min: minLength, max: maxLength } }];
  }
  return [];
}
