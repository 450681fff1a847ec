import { id, name, names, optional, time } from '../../files/columns.ts';
import type { FileKind } from '../../files/file-kind.ts';

export const companyFile: FileKind = {
  file: 'companies',
  table: 'companies',
  one: 'a company',
  columns: {
    id,
    ...names(),
    address_line: optional(name(), 'street and building'),
    city_id: id.describe('city of the address, as city list shows it'),
    suspended_at: optional(time, 'if set, its tokens are rejected'),
  },
  references: { city_id: { table: 'cities', one: 'city' } },
};
