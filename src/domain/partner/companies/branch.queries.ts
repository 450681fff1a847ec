import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import { anyOf } from '../../../platform/database/any-of.ts';
import { statement } from '../../../platform/database/statement.ts';
import { type Batch, inLists, type TenantKey, type TenantKeys, tenantKeys } from '../../request/batches.ts';
import type { Branches } from '../../tables.generated.ts';
import type { Database } from '../../tables.ts';

const selectBranches = statement((db: Database, { companyId }: { companyId: number }) =>
  db
    .selectFrom('branches')
    .select(['id', 'companyId', 'nameEn', 'nameAr', 'addressLine', 'cityId'])
    .where('companyId', '=', companyId)
    .orderBy('id'),
);

/** The branches of a company, by id. A request acts for one company: it takes one statement. */
export const branchesByCompanyId: Batch<number, Selectable<Branches>[]> = {
  load: (db, companyIds) => Promise.all(companyIds.map((companyId) => selectBranches(db, { companyId }))),
};

const selectServiceIds = statement((db: Database, { companyId, ids }: TenantKeys) =>
  db
    .selectFrom('branchServices')
    .select(['branchId', 'serviceId'])
    .where('companyId', '=', companyId)
    .where('branchId', '=', anyOf(ids)),
);

/** Ids of the services that a branch offers. */
export const serviceIdsByBranch: Batch<TenantKey, number[]> = {
  keyId: ({ id }) => id,
  async load(db, keys) {
    const { companyId, ids } = tenantKeys(keys);
    const rows = await selectServiceIds(db, { companyId, ids });
    return inLists(
      ids,
      rows,
      ({ branchId }) => branchId,
      ({ serviceId }) => serviceId,
    );
  },
};

/** Adds a branch that offers services, and returns its id. */
export async function createBranch(
  transaction: Database,
  branch: Insertable<Branches>,
  serviceIds: readonly number[],
): Promise<number> {
  const { id } = await transaction.insertInto('branches').values(branch).returning('id').executeTakeFirstOrThrow();
  await insertServices(transaction, { companyId: branch.companyId, id }, serviceIds);
  return id;
}

/** Changes a branch of a company; undefined services stay. Returns whether there is such a branch. */
export async function updateBranch(
  transaction: Database,
  key: TenantKey,
  changes: Updateable<Branches>,
  serviceIds: readonly number[] | undefined,
): Promise<boolean> {
  const { companyId, id } = key;
  const { numUpdatedRows } = await transaction
    .updateTable('branches')
    .set({ ...changes, id })
    .where('companyId', '=', companyId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (numUpdatedRows > 0n && serviceIds !== undefined) {
    const own = transaction.deleteFrom('branchServices').where('companyId', '=', companyId).where('branchId', '=', id);
    await own.execute();
    await insertServices(transaction, key, serviceIds);
  }
  return numUpdatedRows > 0n;
}

/** Deletes a branch of a company; returns whether there was one. */
export async function deleteBranch(db: Database, { companyId, id }: TenantKey): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('branches')
    .where('companyId', '=', companyId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

async function insertServices(transaction: Database, { companyId, id }: TenantKey, serviceIds: readonly number[]) {
  const services = serviceIds.map((serviceId) => ({ companyId, branchId: id, serviceId }));
  if (services.length > 0) await transaction.insertInto('branchServices').values(services).execute();
}

/** The branches of a company by id, with their address and the codes of their services. */
export async function listBranches(db: Database, companyId: number) {
  return db
    .selectFrom('branches')
    .innerJoin('cities', 'cities.id', 'branches.cityId')
    .innerJoin('countries', 'countries.id', 'cities.countryId')
    .leftJoin('branchServices', (join) =>
      join
        .onRef('branchServices.companyId', '=', 'branches.companyId')
        .onRef('branchServices.branchId', '=', 'branches.id'),
    )
    .leftJoin('services', 'services.id', 'branchServices.serviceId')
    .select([
      'branches.id',
      'countries.shortCode as country',
      'cities.nameEn as city',
      'branches.addressLine as address',
      sql<string | null>`string_agg(services.code, ' ' order by services.id)`.as('services'),
      'branches.nameEn',
      'branches.nameAr',
    ])
    .where('branches.companyId', '=', companyId)
    .groupBy(['branches.companyId', 'branches.id', 'cities.id', 'countries.id'])
    .orderBy('branches.id')
    .execute();
}
