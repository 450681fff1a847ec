import Negotiator from 'negotiator';

export const locales = ['en', 'ar'] as const;

export type Locale = (typeof locales)[number];

/**
 * The locale of an `Accept-Language` header, by RFC 4647 lookup: the first range that shortens to a supported language
 * (`ar-SA`, or `ar_SA` from some clients, is `ar`). Defaults to English; a malformed header is never an error.
 */
export function negotiateLocale(acceptLanguage: string | undefined): Locale {
  const ranges = new Negotiator({ headers: { 'accept-language': acceptLanguage } }).languages();
  for (const range of ranges) {
    const language = range.split(/[-_]/, 1)[0]?.toLowerCase();
    if (language === 'en' || language === 'ar') return language;
  }
  return 'en';
}
