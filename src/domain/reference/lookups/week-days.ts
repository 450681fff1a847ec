import type { LocalizedName } from '../../../kernel/localization/localized-name.ts';

/** An entry of a lookup. */
export type Entry = { key: string; value: string } & LocalizedName;

const [english, arabic] = ['en', 'ar'].map(
  (locale) => new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' }),
) as [Intl.DateTimeFormat, Intl.DateTimeFormat];

/** From Sunday. */
export const weekDays = Array.from({ length: 7 }, (_, index): Entry => {
  // The 1st of January 2023 is a Sunday.
  const date = Date.UTC(2023, 0, 1 + index);
  const nameEn = english.format(date);
  return { key: 'week_day', value: nameEn.toLowerCase(), nameEn, nameAr: arabic.format(date) };
});
