import { expect } from 'vitest';
import type { Database } from '../../src/domain/tables.ts';
import type { Answer } from './client.ts';

/** The languages of the service. */
export const languages = ['en', 'ar'] as const;

export type Language = (typeof languages)[number];

/** The name that a row has in the language. */
export function nameOf(row: { nameEn: string; nameAr: string }, language: Language): string {
  return language === 'ar' ? row.nameAr : row.nameEn;
}

/** The same in the order of ids, where another order is not what a test is about. */
export function byId<Row extends { id: number }>(rows: readonly Row[]): Row[] {
  return rows.toSorted((a, b) => a.id - b.id);
}

/** Expects a 400 that names these parameters, in the language. */
export function expectRefusedParameters({ status, body }: Answer<unknown>, names: string[], language: Language): void {
  const { code, detail, errors } = body as { code: string; detail: string; errors: Record<string, string[]> };
  expect({ status, code, names: Object.keys(errors).toSorted() }).toEqual({
    status: 400,
    code: 'invalid_parameter',
    names: names.toSorted(),
  });
  for (const text of [detail, ...Object.values(errors).flat()]) {
    expect(/\p{Script=Arabic}/u.test(text), text).toBe(language === 'ar');
  }
}

export interface LookupEntry {
  key: string;
  value: string;
  name: string;
}

/** The week days, from Sunday. */
export const weekDays = {
  sunday: { en: 'Sunday', ar: 'الأحد' },
  monday: { en: 'Monday', ar: 'الاثنين' },
  tuesday: { en: 'Tuesday', ar: 'الثلاثاء' },
  wednesday: { en: 'Wednesday', ar: 'الأربعاء' },
  thursday: { en: 'Thursday', ar: 'الخميس' },
  friday: { en: 'Friday', ar: 'الجمعة' },
  saturday: { en: 'Saturday', ar: 'السبت' },
};

/** What every lookup is to hold, from the rows. */
export async function expectedLookups(db: Database, language: Language) {
  const translated = async (table: 'brandTypes' | 'cuisineTypes' | 'services') => {
    const rows = await db.selectFrom(table).select(['id', 'nameEn', 'nameAr']).orderBy('id').execute();
    return rows.map((row) => entryOf(row.id, nameOf(row, language)));
  };
  const applications = await db.selectFrom('applications').select(['id', 'name']).orderBy('id').execute();
  return {
    brand_types: await translated('brandTypes'),
    cuisine_types: await translated('cuisineTypes'),
    services: await translated('services'),
    applications: applications.map(({ id, name }) => entryOf(id, name)),
    week_days: Object.entries(weekDays).map(([value, names]) => ({ key: 'week_day', value, name: names[language] })),
  };
}

function entryOf(id: number, name: string): LookupEntry {
  return { key: 'id', value: String(id), name };
}
