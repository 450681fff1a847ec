import { sql } from 'kysely';
import { OperatorError } from '../../kernel/errors/operator-error.ts';
import { type Locale, type LocalizedName, sortByName } from '../../kernel/localization/locale.ts';
import { findNamed, idOf } from '../find-named.ts';
import type { Database } from '../tables.ts';
import { fileOf, type LookupListName } from './lists.ts';

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

export function selectCities(db: Database) {
  return db.selectFrom('cities').select(['id', 'countryId', 'nameEn', 'nameAr']).orderBy('id');
}

/** Finds a city by id or code, in any case. Throws an OperatorError that suggests similar cities for an unknown one. */
export async function getCityId(db: Database, idOrCode: string): Promise<number> {
  const id = idOf(idOrCode);
  const found = await db
    .selectFrom('cities')
    .select(['id', 'code'])
    .where((where) => where.or([where('id', '=', id), sql<boolean>`lower(code) = lower(${idOrCode})`]))
    .execute();
  const advice = 'Run city list to see the cities.';
  const byId = found.find((city) => city.id === id);
  if (byId !== undefined) return id;
  if (found.length > 0) return findNamed(found, idOrCode, ({ code }) => code, { noun: 'city', advice }).id;
  const named = await listCities(db, { search: idOrCode });
  const cities = named.length > 0 ? named : await listCities(db, { search: idOrCode.slice(0, 3) });
  const similar = cities.slice(0, 3).map(({ code, nameEn, country }) => `${code} (${nameEn}, ${country})`);
  const suggestion = similar.length > 0 ? ` Did you mean ${similar.join(' or ')}?` : '';
  throw new OperatorError(`There is no city "${idOrCode}".${suggestion} ${advice}`);
}

interface CityFilter {
  /** Two capital letters. */
  country?: string | undefined;
  /** Part of a name or of the code. */
  search?: string | undefined;
}

/** The cities by country, name and id, with their codes. */
export async function listCities(db: Database, { country = '', search = '' }: CityFilter = {}) {
  return db
    .selectFrom('cities')
    .innerJoin('countries', 'countries.id', 'cities.countryId')
    .select(['cities.id', 'cities.code', 'countries.shortCode as country', 'cities.nameEn', 'cities.nameAr'])
    .where(sql<boolean>`${country} in ('', short_code)`)
    .where(sql<boolean>`strpos(lower(concat_ws(' ', cities.name_en, cities.name_ar, code)), lower(${search})) > 0`)
    .orderBy('countries.shortCode')
    .orderBy('cities.nameEn')
    .orderBy('cities.id')
    .execute();
}

export function selectTimezones(db: Database) {
  return db.selectFrom('timezones').select(['id', 'name']);
}

/** By name; in the database, the order would depend on its collation. */
export function sortTimezones<Row extends { name: string }>(rows: Row[]): Row[] {
  return rows.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

export function selectServices(db: Database) {
  return db.selectFrom('services').select(['id', 'code', 'nameEn', 'nameAr']).orderBy('id');
}

/** Finds the ids of services by code, in any case. Throws an OperatorError for an unknown code. */
export async function getServiceIds(db: Database, codes: string[]): Promise<number[]> {
  const services = await selectServices(db).execute();
  const advice = `The services are ${services.map(({ code }) => code).join(', ')}.`;
  const ids = codes.map((code) => findNamed(services, code, (each) => each.code, { noun: 'service', advice }).id);
  return [...new Set(ids)];
}

export type LookupRow = { id: number } & LocalizedName;

/** The entries of a lookup, by id. A list with one name, which is never translated, has it in both languages. */
export async function listLookup(db: Database, list: LookupListName): Promise<LookupRow[]> {
  const [nameEn, nameAr] = 'name' in fileOf(list).columns ? ['name', 'name'] : ['name_en', 'name_ar'];
  const { rows } = await sql<LookupRow>`
    select id, ${sql.id(nameEn)} as name_en, ${sql.id(nameAr)} as name_ar from ${sql.table(list)} order by id`.execute(
    db,
  );
  return rows;
}
