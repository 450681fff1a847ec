import type { Selectable } from 'kysely';
import { anyOf } from '../database/any-of.ts';
import { groupByKey } from '../request/group.ts';
import type { Batch } from '../request/loaders.ts';
import type { ServicesTable } from '../services/service.table.ts';
import type { BranchesTable } from './branch.table.ts';

export const branchesByCompanyId: Batch<number, Selectable<BranchesTable>[]> = {
  async load(db, companyIds) {
    const rows = await db
      .selectFrom('branches')
      .select(['id', 'companyId', 'nameEn', 'nameAr', 'addressLine', 'cityId'])
      .where('companyId', '=', anyOf(companyIds))
      .orderBy('id')
      .execute();
    return groupByKey(companyIds, rows, (row) => row.companyId);
  },
};

export const servicesByBranch: Batch<
  Pick<Selectable<BranchesTable>, 'companyId' | 'id'>,
  Selectable<ServicesTable>[]
> = {
  keyId: (branch) => branch.id,
  async load(db, branches) {
    const branchIds = branches.map((branch) => branch.id);
    const rows = await db
      .selectFrom('branchServices')
      .innerJoin('services', 'services.id', 'branchServices.serviceId')
      .select(['branchServices.branchId', 'services.id', 'services.code', 'services.nameEn', 'services.nameAr'])
      .where('branchServices.companyId', '=', anyOf([...new Set(branches.map((branch) => branch.companyId))]))
      .where('branchServices.branchId', '=', anyOf(branchIds))
      .orderBy('services.id')
      .execute();
    return groupByKey(branchIds, rows, (row) => row.branchId);
  },
};
