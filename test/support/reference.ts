import { expect } from 'vitest';
import type { Locale as Language } from '../../src/kernel/localization/locale.ts';
import type { Answer } from './client.ts';

export {
  type Locale as Language,
  locales as languages,
  localizedName as formatName,
} from '../../src/kernel/localization/locale.ts';

/** Sorts by id, for tests that do not check the order. */
export function byId<Row extends { id: number }>(rows: readonly Row[]): Row[] {
  return rows.toSorted((a, b) => a.id - b.id);
}

/** Expects a 400 with these parameters, in the language. */
export function expectInvalidParameters({ status, body }: Answer<unknown>, names: string[], language: Language): void {
  const { code, detail, errors } = body as { code: string; detail: string; errors: Record<string, string[]> };
  expect({ status, code }).toEqual({ status: 400, code: 'invalid_parameter' });
  expect(Object.keys(errors).toSorted()).toEqual(names.toSorted());
  for (const text of [detail, ...Object.values(errors).flat()]) {
    expect(/\p{Script=Arabic}/u.test(text), text).toBe(language === 'ar');
  }
}
