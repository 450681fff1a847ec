import type { Selectable } from 'kysely';
import { anyOf } from '../database/any-of.ts';
import { groupByKey } from '../request/group.ts';
import type { Batch } from '../request/loaders.ts';
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

/** Ids of the services that a branch offers. */
export const serviceIdsByBranch: Batch<Pick<Selectable<BranchesTable>, 'companyId' | 'id'>, number[]> = {
  keyId: (branch) => branch.id,
  async load(db, branches) {
    const branchIds = branches.map((branch) => branch.id);
    const rows = await db
      .selectFrom('branchServices')
      .select(['branchId', 'serviceId'])
      .where('companyId', '=', anyOf([...new Set(branches.map((branch) => branch.companyId))]))
      .where('branchId', '=', anyOf(branchIds))
      .execute();
    return groupByKey(branchIds, rows, (row) => row.branchId).map((group) => group.map((row) => row.serviceId));
  },
};
