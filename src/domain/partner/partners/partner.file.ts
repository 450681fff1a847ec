import { id, name, optional, time } from '../../files/columns.ts';
import type { FileKind } from '../../files/file-kind.ts';

export const partnerFile: FileKind = {
  file: 'partners',
  table: 'partners',
  one: 'a partner',
  columns: {
    id,
    name: name().describe(`unique; ${name().description}`),
    default_company_id: id.describe('the company it acts for'),
    suspended_at: optional(time, 'if set, its tokens are rejected'),
  },
  unique: 'name',
  references: { default_company_id: { table: 'companies', one: 'company' } },
};
