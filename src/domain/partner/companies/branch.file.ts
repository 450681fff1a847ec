import { sql } from 'kysely';
import { id, idList, name } from '../../files/columns.ts';
import type { FileKind } from '../../files/file-kind.ts';

const row = { id, company_id: id, name_en: name(), name_ar: name(), address_line: name().nullable(), city_id: id };

export const branchFile: FileKind = {
  table: 'branches',
  one: 'a branch',
  columns: { ...row, service_ids: idList.nullable() },
  written: Object.keys(row),
  references: { company_id: { table: 'companies', one: 'company' }, city_id: { table: 'cities', one: 'city' } },
  links: { column: 'service_ids', table: 'branch_services', owner: 'branch_id', target: 'service_id' },
  rules: [
    sql`select line, 'service_ids', format('there is no service %s', service_id)
      from (select line, unnest(service_ids) as service_id from file) as each
      where not exists (select from services where id = service_id)`,
  ],
};
