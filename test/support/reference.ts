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

/** What a problem with refused parameters is, but for its texts: those in Arabic are in Arabic, those in English are not. */
export function refusedParameters({ status, headers, body }: Answer<unknown>) {
  const { title, detail, request_id, errors, ...rest } = body as Record<string, unknown>;
  const texts = [detail, ...Object.values(errors as object).flat()];
  const arabic = texts.filter((text) => /\p{Script=Arabic}/u.test(String(text)));
  return {
    ...rest,
    answered: status,
    mediaType: headers.get('content-type')?.split(';')[0],
    title,
    hasRequestId: request_id === headers.get('x-request-id'),
    refused: Object.keys(errors as object),
    language: arabic.length === 0 ? 'en' : arabic.length === texts.length ? 'ar' : 'mixed',
  };
}

/** What `refusedParameters` is to be for the parameters of these names. */
export function refusal(refused: string[], language: Language) {
  return {
    type: 'about:blank',
    status: 400,
    code: 'invalid_parameter',
    answered: 400,
    mediaType: 'application/problem+json',
    title: 'Bad Request',
    hasRequestId: true,
    refused,
    language,
  };
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
