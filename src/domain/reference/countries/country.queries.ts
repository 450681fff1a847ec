import type { Locale } from '../../../kernel/localization/locale.ts';
import { type LocalizedName, sortByName } from '../../../kernel/localization/localized-name.ts';
import type { Database } from '../../tables.ts';

export function selectCountries(db: Database) {
  return db.selectFrom('countries').select(['id', 'shortCode', 'dialCode', 'nameEn', 'nameAr']).orderBy('id');
}

/** Saudi Arabia first, then by the name in the locale. */
export function sortCountries<Row extends LocalizedName & { shortCode: string }>(rows: Row[], locale: Locale): Row[] {
  // The sort is stable.
  return sortByName(rows, locale).sort((a, b) => Number(b.shortCode === 'SA') - Number(a.shortCode === 'SA'));
}

/** False if the reference data was never loaded. */
export async function hasCountries(db: Database): Promise<boolean> {
  return (await selectCountries(db).limit(1).executeTakeFirst()) !== undefined;
}
