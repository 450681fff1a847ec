import type { LocalizedName } from '../../kernel/localization/locale.ts';

const fullList = -1;

/** From 1, or -1 for the full list. */
export function isPage(page: number): boolean {
  return page >= 1 || page === fullList;
}

export function slicePage<Row>(
  rows: readonly Row[],
  page: number | null | undefined,
  pageSize: number,
): readonly Row[] {
  return page == null || page === fullList ? rows : rows.slice((page - 1) * pageSize, page * pageSize);
}

export type Entry = { key: string; value: string } & LocalizedName;

const [english, arabic] = ['en', 'ar'].map(
  (locale) => new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' }),
) as [Intl.DateTimeFormat, Intl.DateTimeFormat];

export const weekDays = Array.from({ length: 7 }, (_, index): Entry => {
  // The 1st of January 2023 is a Sunday.
  const date = Date.UTC(2023, 0, 1 + index);
  const nameEn = english.format(date);
  return { key: 'week_day', value: nameEn.toLowerCase(), nameEn, nameAr: arabic.format(date) };
});
