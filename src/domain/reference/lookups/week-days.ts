import type { Locale } from '../../../kernel/localization/locale.ts';

const days = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;

// 1 January 2023 was a Sunday.
const firstSunday = Date.UTC(2023, 0, 1);
const dayInMs = 24 * 60 * 60 * 1000;

/** The seven days of the opening hours, from Sunday: the enum's value and its name in the locale. */
export function listWeekDays(locale: Locale): { value: string; name: string }[] {
  const format = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' });
  return days.map((value, index) => ({ value, name: format.format(firstSunday + index * dayInMs) }));
}
