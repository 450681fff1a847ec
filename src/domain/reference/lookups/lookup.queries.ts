import type { Locale } from '../../../kernel/localization/locale.ts';
import type { LocalizedName } from '../../../kernel/localization/localized-name.ts';
import type { ReferenceRead, ReferenceSnapshot } from '../reference-data.ts';
import { serviceListing } from '../services/service.queries.ts';

type Translated = ReferenceRead<(LocalizedName & { id: number })[]>;

/** All records of each lookup that is named in both languages, by id. */
export const translatedLookups = {
  brandTypes: (snapshot) => listTranslated(snapshot, 'brandTypes'),
  cuisineTypes: (snapshot) => listTranslated(snapshot, 'cuisineTypes'),
  services: serviceListing,
} satisfies Record<string, Translated>;

/** All applications, by id. */
export async function applicationListing({ db }: ReferenceSnapshot) {
  return db.selectFrom('applications').select(['id', 'name']).orderBy('id').execute();
}

async function listTranslated({ db }: ReferenceSnapshot, table: 'brandTypes' | 'cuisineTypes') {
  return db.selectFrom(table).select(['id', 'nameEn', 'nameAr']).orderBy('id').execute();
}

const days = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;

// 1 January 2023 was a Sunday.
const firstSunday = Date.UTC(2023, 0, 1);
const dayInMs = 24 * 60 * 60 * 1000;

/** The seven days of the opening hours, from Sunday: the enum's value and its name in the locale. */
export function listWeekDays(locale: Locale): { value: string; name: string }[] {
  const format = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' });
  return days.map((value, index) => ({ value, name: format.format(firstSunday + index * dayInMs) }));
}

/** The page that stands for the full list. */
const fullList = -1;

/** Whether a number names a page of a lookup: 1 or more, or -1 for the full list. */
export function isPage(page: number): boolean {
  return Number.isInteger(page) && (page >= 1 || page === fullList);
}

/** The rows of a page; a page past the end is empty. */
export function pageOf<Row>(rows: readonly Row[], page: number, pageSize: number): readonly Row[] {
  return page === fullList ? rows : rows.slice((page - 1) * pageSize, page * pageSize);
}
