import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import { OperatorError } from '../../../kernel/errors/operator-error.ts';
import { anyDiffers } from '../../../platform/database/statement.ts';
import { companyId, id, idList, name, names, optional } from '../../files/columns.ts';
import type { FileKind } from '../../files/file-kind.ts';
import { pagesByOwner, type TenantKey } from '../../lists/batches.ts';
import type { Branches } from '../../tables.generated.ts';
import type { Database } from '../../tables.ts';

export type BranchRow = Omit<Selectable<Branches>, 'companyId'> & { serviceIds: number[] };

/** The branches of the caller's company, by id. */
export const branchesByCompany = pagesByOwner<BranchRow>(
  (companyId) => sql`
    select id, name_en, name_ar, address_line, city_id, array(
      select service_id from branch_services
      where branch_services.company_id = ${companyId} and branch_id = branches.id
    ) as service_ids
    from branches
    where company_id = ${companyId} and id > page.after
    order by id`,
);

/** Adds a branch with its services and returns its id. Call it in a transaction. */
export async function createBranch(db: Database, branch: Insertable<Branches>, serviceIds: readonly number[]) {
  const { id } = await db.insertInto('branches').values(branch).returning('id').executeTakeFirstOrThrow();
  await setServices(db, { companyId: branch.companyId, id }, serviceIds);
  return id;
}

/**
 * Updates a branch; undefined `serviceIds` keeps its services. Returns whether anything changed. Throws an OperatorError for
 * an unknown branch.
 */
export async function updateBranch(db: Database, key: TenantKey, changes: Updateable<Branches>, serviceIds?: number[]) {
  const { companyId, id } = key;
  const known = db.selectFrom('branches').select('id').where('companyId', '=', companyId).where('id', '=', id);
  await known.executeTakeFirstOrThrow(() => notFound(key));
  const own = db.updateTable('branches').where('companyId', '=', companyId).where('id', '=', id);
  const { numUpdatedRows } = await own
    .set({ ...changes, id })
    .where(anyDiffers({ ...changes, id }))
    .executeTakeFirst();
  const hasOtherServices = serviceIds !== undefined && (await setServices(db, key, serviceIds));
  return numUpdatedRows > 0n || hasOtherServices;
}

export async function deleteBranch(db: Database, key: TenantKey): Promise<void> {
  const own = db.deleteFrom('branches').where('companyId', '=', key.companyId).where('id', '=', key.id);
  await own.returning('id').executeTakeFirstOrThrow(() => notFound(key));
}

function notFound({ companyId, id }: TenantKey): OperatorError {
  return new OperatorError(`Company ${companyId} has no branch ${id}. Run branch list to see its branches.`);
}

/** Returns whether the branch had others. */
async function setServices(
  db: Database,
  { companyId, id }: TenantKey,
  serviceIds: readonly number[],
): Promise<boolean> {
  const own = db.deleteFrom('branchServices').where('companyId', '=', companyId).where('branchId', '=', id);
  const removed = await own.where(sql<boolean>`service_id <> all(${serviceIds}::integer[])`).executeTakeFirst();
  const services = serviceIds.map((serviceId) => ({ companyId, branchId: id, serviceId }));
  if (services.length === 0) return removed.numDeletedRows > 0n;
  const insert = db
    .insertInto('branchServices')
    .values(services)
    .onConflict((conflict) => conflict.doNothing());
  const added = await insert.executeTakeFirst();
  return removed.numDeletedRows + (added.numInsertedOrUpdatedRows ?? 0n) > 0n;
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

export const branchFile: FileKind = {
  file: 'branches',
  table: 'branches',
  one: 'a branch',
  columns: {
    id,
    company_id: companyId,
    ...names(),
    address_line: optional(name(), 'street and building'),
    city_id: id.describe('city of the address, as city list shows it'),
    service_ids: optional(idList),
  },
  references: { company_id: { table: 'companies', one: 'company' }, city_id: { table: 'cities', one: 'city' } },
  links: { column: 'service_ids', table: 'branch_services', owner: 'branch_id', target: 'service_id' },
  rules: [
    sql`select line, 'service_ids', 'there is no such service',
        format('there is no service %s', string_agg(service_id::text, ', ' order by service_id))
      from (select line, unnest(service_ids) as service_id from file) as each
      where not exists (select from services where id = service_id) group by line`,
  ],
};
