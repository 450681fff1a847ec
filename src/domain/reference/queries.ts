import { sql } from 'kysely';
import { OperatorError } from '../../kernel/errors/operator-error.ts';
import { type Locale, type LocalizedName, sortByName } from '../../kernel/localization/locale.ts';
import type { Database } from '../tables.ts';
import { type LookupListName, toFileFormat } from './lists.ts';

export function selectCountries(db: Database) {
  return db.selectFrom('countries').select(['id', 'shortCode', 'dialCode', 'nameEn', 'nameAr']).orderBy('id');
}

/** Saudi Arabia first. */
export function sortCountries<Row extends LocalizedName & { shortCode: string }>(rows: Row[], locale: Locale): Row[] {
  return sortByName(rows, locale).sort((a, b) => Number(b.shortCode === 'SA') - Number(a.shortCode === 'SA'));
}

export async function hasCountries(db: Database): Promise<boolean> {
  return (await selectCountries(db).limit(1).executeTakeFirst()) !== undefined;
}

export function selectCities(db: Database) {
  return db.selectFrom('cities').select(['id', 'countryId', 'nameEn', 'nameAr']).orderBy('id');
}

export async function getCityId(db: Database, code: string): Promise<number> {
  const city = db.selectFrom('cities').select('id').where('code', '=', code);
  const unknown = () => new OperatorError(`There is no city with the code "${code}". Run export cities to see them.`);
  return (await city.executeTakeFirstOrThrow(unknown)).id;
}

export function selectTimezones(db: Database) {
  return db.selectFrom('timezones').select(['id', 'name']);
}

/** Not sorted by the database, whose collation may vary. */
export function sortTimezones<Row extends { name: string }>(rows: Row[]): Row[] {
  return rows.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

export function selectServices(db: Database) {
  return db.selectFrom('services').select(['id', 'code', 'nameEn', 'nameAr']).orderBy('id');
}

export type LookupRow = { id: number } & LocalizedName;

/** A list with one name, which is never translated, has it in both languages. */
export async function listLookup(db: Database, list: LookupListName): Promise<LookupRow[]> {
  const [nameEn, nameAr] = 'name' in toFileFormat(list).columns ? ['name', 'name'] : ['name_en', 'name_ar'];
  const { rows } = await sql<LookupRow>`
    select id, ${sql.id(nameEn)} as name_en, ${sql.id(nameAr)} as name_ar from ${sql.table(list)} order by id`.execute(
    db,
  );
  return rows;
}
