import type { Generated } from 'kysely';

export interface PartnersTable {
  id: Generated<number>;
  name: string;
  defaultCompanyId: number;
}
