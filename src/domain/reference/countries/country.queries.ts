import { sortByName } from '../../../kernel/localization/localized-name.ts';
import { anyOf } from '../../../platform/database/any-of.ts';
import { type ReferenceKeys, rowsById, rowsInOrder } from '../../request/batches.ts';
import type { Database } from '../../tables.ts';

function selectCountries(db: Database) {
  return db.selectFrom('countries').select(['id', 'shortCode', 'dialCode', 'nameEn', 'nameAr']);
}

export const countriesById = rowsById((db, { keys }: ReferenceKeys) =>
  selectCountries(db).where('id', '=', anyOf(keys)).execute(),
);

/** Every country: Saudi Arabia first, then by the name in the locale. */
export const countriesInOrder = rowsInOrder(
  (db) => selectCountries(db).execute(),
  // The sort is stable.
  (rows, locale) =>
    sortByName(rows, locale).sort((a, b) => Number(b.shortCode === 'SA') - Number(a.shortCode === 'SA')),
);

/** False if the reference data was never loaded. */
export async function hasCountries(db: Database): Promise<boolean> {
  return (await selectCountries(db).limit(1).executeTakeFirst()) !== undefined;
}
