import type { Locale } from './locale.ts';

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
