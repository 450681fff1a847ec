import type { Locale } from './locale.ts';

export interface LocalizedName<Arabic = string> {
  nameEn: string;
  nameAr: Arabic;
}

/** `nameEn` or `nameAr`, by the locale; nothing stands in for a name that is unset. */
export function localizedName<Arabic>(row: LocalizedName<Arabic>, locale: Locale): string | Arabic {
  return locale === 'ar' ? row.nameAr : row.nameEn;
}
