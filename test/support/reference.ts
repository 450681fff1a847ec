import { expect } from 'vitest';
import type { Answer } from './client.ts';

export const languages = ['en', 'ar'] as const;

export type Language = (typeof languages)[number];

export function nameOf(row: { nameEn: string; nameAr: string }, language: Language): string {
  return language === 'ar' ? row.nameAr : row.nameEn;
}

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
