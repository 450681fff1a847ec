import { type Insertable, type Selectable, sql } from 'kysely';
import { id, idList, name, names, optional } from '../../files/columns.ts';
import type { FileFormat } from '../../files/file-format.ts';
import { pagesByOwner } from '../../lists/batches.ts';
import type { Branches } from '../../tables.generated.ts';
import type { Database } from '../../tables.ts';

export type BranchRow = Omit<Selectable<Branches>, 'companyId'> & { serviceIds: number[] };

export const branchesByCompany = pagesByOwner<BranchRow>(
  (companyId) => sql`
    select id, name_en as "nameEn", name_ar as "nameAr", address_line as "addressLine", city_id as "cityId", array(
      select service_id from branch_services
      where branch_services.company_id = ${companyId} and branch_id = branches.id
    ) as "serviceIds"
    from branches
    where company_id = ${companyId} and id > page.after
    order by id`,
);

/** Call it in a transaction. */
export async function createBranch(db: Database, branch: Insertable<Branches>, serviceIds: readonly number[]) {
  const { id } = await db.insertInto('branches').values(branch).returning('id').executeTakeFirstOrThrow();
  const services = serviceIds.map((serviceId) => ({ companyId: branch.companyId, branchId: id, serviceId }));
  if (services.length > 0) await db.insertInto('branchServices').values(services).execute();
}

export const branchFile: FileFormat = {
  table: 'branches',
  columns: {
    id: optional(id),
    company_id: id,
    ...names(),
    address_line: optional(name()),
    city_id: id,
    service_ids: optional(idList),
  },
  references: { company_id: 'companies', city_id: 'cities' },
  links: { column: 'service_ids', table: 'branch_services', owner: 'branch_id', target: 'service_id' },
  isDeletable: true,
  rules: [
    sql`select line, 'service_ids', format('services has no id %s', service_id)
      from (select line, unnest(service_ids) as service_id from file) as requested
      where not exists (select from services where id = service_id)`,
  ],
};
