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
