import type { Selectable } from 'kysely';
import { anyOf } from '../database/any-of.ts';
import { pickByKey } from '../request/group.ts';
import type { Batch } from '../request/loaders.ts';
import type { CompaniesTable } from './company.table.ts';

export const companiesById: Batch<number, Selectable<CompaniesTable> | undefined> = {
  async load(db, ids) {
    const rows = await db
      .selectFrom('companies')
      .select(['id', 'nameEn', 'nameAr', 'addressLine', 'cityId'])
      .where('id', '=', anyOf(ids))
      .execute();
    return pickByKey(ids, rows, (row) => row.id);
  },
};
