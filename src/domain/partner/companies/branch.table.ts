import type { Generated } from 'kysely';

export interface BranchesTable {
  id: Generated<number>;
  companyId: number;
  nameEn: string;
  nameAr: string;
  addressLine: string | null;
  cityId: number;
}

export interface BranchServicesTable {
  companyId: number;
  branchId: number;
  serviceId: number;
}
