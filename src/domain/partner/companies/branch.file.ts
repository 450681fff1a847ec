import { sql } from 'kysely';
import { companyId, id, idList, name, names, optional } from '../../files/columns.ts';
import type { FileKind } from '../../files/file-kind.ts';

export const branchFile: FileKind = {
  file: 'branches',
  table: 'branches',
  one: 'a branch',
  columns: {
    id,
    company_id: companyId,
    ...names(),
    address_line: optional(name(), 'street and building'),
    city_id: id.describe('city of the address, as city list shows it'),
    service_ids: optional(idList),
  },
  references: { company_id: { table: 'companies', one: 'company' }, city_id: { table: 'cities', one: 'city' } },
  links: { column: 'service_ids', table: 'branch_services', owner: 'branch_id', target: 'service_id' },
  rules: [
    sql`select line, 'service_ids', 'there is no such service',
        format('there is no service %s', string_agg(service_id::text, ', ' order by service_id))
      from (select line, unnest(service_ids) as service_id from file) as each
      where not exists (select from services where id = service_id) group by line`,
  ],
};
