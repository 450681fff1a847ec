import { id, name, time } from '../../files/columns.ts';
import type { FileKind } from '../../files/file-kind.ts';

const columns = {
  id,
  name_en: name(),
  name_ar: name(),
  address_line: name().nullable(),
  city_id: id,
  suspended_at: time.nullable(),
};

export const companyFile: FileKind = {
  table: 'companies',
  one: 'a company',
  columns,
  written: Object.keys(columns),
  references: { city_id: { table: 'cities', one: 'city' } },
};
