import type { Refusal } from '../../../kernel/errors/refusal.ts';
import { faultOfName } from '../../../kernel/localization/name.ts';

/** Length of a tag's name in characters (Unicode code points); the database checks it too. */
export const nameLength = { min: 3, max: 50 };

/** What is wrong with a normalized name: 3 to 50 characters, none of them a control character, one of them visible. */
export function refuseName<Field extends string>(field: Field, name: string): Refusal<Field>[] {
  const code = faultOfName(name, nameLength);
  if (code === undefined) return [];
  return [code === 'invalid_length' ? { code, field, values: nameLength } : { code, field }];
}
