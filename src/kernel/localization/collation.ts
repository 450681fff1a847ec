import type { Locale } from './locale.ts';
import { type LocalizedName, localizedName } from './localized-name.ts';

const collators: Record<Locale, Intl.Collator> = {
  en: new Intl.Collator('en'),
  ar: new Intl.Collator('ar'),
};

/** A copy of the rows in the alphabetical order of the locale; equal names keep their order. */
export function sortByName<Row extends LocalizedName>(rows: readonly Row[], locale: Locale): Row[] {
  const { compare } = collators[locale];
  return rows.toSorted((a, b) => compare(localizedName(a, locale), localizedName(b, locale)));
}
