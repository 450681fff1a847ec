import Negotiator from 'negotiator';

/** The languages of the service. */
export const locales = ['en', 'ar'] as const;

export type Locale = (typeof locales)[number];

/**
 * The locale of an `Accept-Language` header, by RFC 4647 lookup: the ranges in order of preference, each shortened until
 * it names a language of the service (`ar-SA`, or `ar_SA` as some clients write it, to `ar`). English when none does; a
 * malformed header is never an error.
 */
export function negotiateLocale(acceptLanguage: string | undefined): Locale {
  const ranges = new Negotiator({ headers: { 'accept-language': acceptLanguage } }).languages();
  for (const range of ranges) {
    const language = range.split(/[-_]/, 1)[0]?.toLowerCase();
    if (language === 'en' || language === 'ar') return language;
  }
  return 'en';
}
