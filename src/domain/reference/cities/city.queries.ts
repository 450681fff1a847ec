import { sql } from 'kysely';
import { OperatorError } from '../../../kernel/errors/operator-error.ts';
import { findNamed, idOf } from '../../find-named.ts';
import type { Database } from '../../tables.ts';

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
