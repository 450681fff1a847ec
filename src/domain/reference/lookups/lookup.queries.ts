import { sql } from 'kysely';
import type { LocalizedName } from '../../../kernel/localization/localized-name.ts';
import type { Database } from '../../tables.ts';
import { fileOf, type LookupListName } from '../lists.ts';

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
