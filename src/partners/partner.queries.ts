import type { Selectable } from 'kysely';
import { anyOf } from '../database/any-of.ts';
import type { Database } from '../database/database.ts';
import { pickByKey } from '../request/group.ts';
import type { Batch } from '../request/loaders.ts';
import type { PartnersTable } from './partner.table.ts';

type PartnerRow = Selectable<PartnersTable>;

export const partnersById: Batch<number, PartnerRow | undefined> = {
  async load(db, ids) {
    const rows = await db
      .selectFrom('partners')
      .select(['id', 'name', 'defaultCompanyId'])
      .where('id', '=', anyOf(ids))
      .execute();
    return pickByKey(ids, rows, (row) => row.id);
  },
};

/** The partner of that name, locked until the transaction ends. */
export async function lockPartnerByName(transaction: Database, name: string): Promise<PartnerRow | undefined> {
  return transaction
    .selectFrom('partners')
    .select(['id', 'name', 'defaultCompanyId'])
    .where('name', '=', name)
    .forUpdate()
    .executeTakeFirst();
}
