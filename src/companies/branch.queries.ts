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

export const servicesByBranchId: Batch<number, Selectable<ServicesTable>[]> = {
  async load(db, branchIds) {
    const rows = await db
      .selectFrom('branchServices')
      .innerJoin('services', 'services.id', 'branchServices.serviceId')
      .select(['branchServices.branchId', 'services.id', 'services.code', 'services.nameEn', 'services.nameAr'])
      .where('branchServices.branchId', '=', anyOf(branchIds))
      .orderBy('services.id')
      .execute();
    return groupByKey(branchIds, rows, (row) => row.branchId);
  },
};
