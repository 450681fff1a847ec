import Negotiator from 'negotiator';

export const locales = ['en', 'ar'] as const;

export type Locale = (typeof locales)[number];

/**
 * The dialects of Arabic, which CLDR's language matching leads to it (supplemental/languageMatching.json, CLDR 48, distance
 * 10), and the codes that its aliases replace with Arabic or one of them.
 */
const arabic = new Set(
  (
    'aao abh abv acm acq acw acx acy adf aeb aec afb apc apd arq ars ary arz auz avl ayh ayl ayn ayp bbz pga shu ssh ' +
    'ajp ajt ar ara arb'
  ).split(' '),
);

/** Further ranges of a header are ignored: each takes a few microseconds. */
const maxRanges = 20;

/**
 * The locale of an `Accept-Language` header, by RFC 4647 lookup: the first range that shortens to a supported language
 * (`ar-SA`, or `ar_SA` from some clients, is `ar`), or is a dialect of Arabic. Defaults to English; a malformed header is never an error.
 */
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

/** `nameEn` or `nameAr`, by the locale, without a fallback for an unset name. */
export function localizedName<Arabic>(row: LocalizedName<Arabic>, locale: Locale): string | Arabic {
  return locale === 'ar' ? row.nameAr : row.nameEn;
}

const collators: Record<Locale, Intl.Collator> = { en: new Intl.Collator('en'), ar: new Intl.Collator('ar') };

/** A copy of the rows in the locale's alphabetical order; equal names keep their order. */
export function sortByName<Row extends LocalizedName>(rows: readonly Row[], locale: Locale): Row[] {
  const { compare } = collators[locale];
  return rows.toSorted((a, b) => compare(localizedName(a, locale), localizedName(b, locale)));
}
