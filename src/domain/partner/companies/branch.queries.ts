import { type Insertable, sql, type Updateable } from 'kysely';
import { statement } from '../../../platform/database/statement.ts';
import type { Batch, TenantKey } from '../../request/batches.ts';
import type { Branches } from '../../tables.generated.ts';
import type { Database } from '../../tables.ts';

const selectBranches = statement((db: Database, { companyId }: { companyId: number }) =>
  db
    .selectFrom('branches')
    .select(['id', 'nameEn', 'nameAr', 'addressLine', 'cityId'])
    .select(
      sql<number[]>`array(
        select service_id from branch_services
        where branch_services.company_id = ${companyId} and branch_id = branches.id
      )`.as('serviceIds'),
    )
    .where('companyId', '=', companyId)
    .orderBy('id'),
);

type BranchRow = Awaited<ReturnType<typeof selectBranches>>[number];

/** The branches of a company, by id. A request acts for one company: it takes one statement. */
export const branchesByCompanyId: Batch<number, BranchRow[]> = {
  load: (db, companyIds) => Promise.all(companyIds.map((companyId) => selectBranches(db, { companyId }))),
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
    .select([
      'branches.id',
      'countries.shortCode as country',
      'cities.nameEn as city',
      'branches.addressLine as address',
      sql<string | null>`(
        select string_agg(code, ' ' order by service_id)
        from branch_services join services on services.id = service_id
        where branch_services.company_id = ${companyId} and branch_id = branches.id
      )`.as('services'),
      'branches.nameEn',
      'branches.nameAr',
    ])
    .where('branches.companyId', '=', companyId)
    .orderBy('branches.id')
    .execute();
}
