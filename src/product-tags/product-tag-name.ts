import type { Refusal } from '../errors/refusal.ts';
import { faultOfName } from '../localization/name.ts';

/** The database checks it too. */
const length = { min: 3, max: 50 };

/** What is wrong with a normalized name: 3 to 50 characters, none of them a control character, one of them visible. */
export function refuseName<Field extends string>(field: Field, name: string): Refusal<Field>[] {
  const code = faultOfName(name, length);
  if (code === undefined) return [];
  return [code === 'invalid_length' ? { code, field, values: length } : { code, field }];
}
