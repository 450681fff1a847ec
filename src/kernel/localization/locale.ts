import Negotiator from 'negotiator';

export const locales = ['en', 'ar'] as const;

export type Locale = (typeof locales)[number];

/** Arabic, its dialects (CLDR 48, languageMatching.json, distance 10) and their aliases. */
const arabic = new Set(
  (
    'aao abh abv acm acq acw acx acy adf aeb aec afb apc apd arq ars ary arz auz avl ayh ayl ayn ayp bbz pga shu ssh ' +
    'ajp ajt ar ara arb'
  ).split(' '),
);

const maxRanges = 20;

/** RFC 4647 lookup, also of `ar_SA` and of Arabic dialects. Defaults to English, for a malformed header too. */
export function negotiateLocale(acceptLanguage = ''): Locale {
  const header = acceptLanguage.split(',', maxRanges).join();
  const ranges = new Negotiator({ headers: { 'accept-language': header } }).languages();
  for (const range of ranges) {
    const language = range.split(/[-_]/, 1)[0]?.toLowerCase() ?? '';
    if (arabic.has(language)) return 'ar';
    if (language === 'en') return 'en';
  }
  return 'en';
}

export interface LocalizedName<Arabic = string> {
  nameEn: string;
  nameAr: Arabic;
}

/** No fallback for an unset name. */
export function localizedName<Arabic>(row: LocalizedName<Arabic>, locale: Locale): string | Arabic {
  return locale === 'ar' ? row.nameAr : row.nameEn;
}

const collators: Record<Locale, Intl.Collator> = { en: new Intl.Collator('en'), ar: new Intl.Collator('ar') };

export function sortByName<Row extends LocalizedName>(rows: readonly Row[], locale: Locale): Row[] {
  const { compare } = collators[locale];
  return rows.toSorted((a, b) => compare(localizedName(a, locale), localizedName(b, locale)));
}
