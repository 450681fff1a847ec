import { sql } from 'kysely';
import { id, name, time } from '../../files/columns.ts';
import type { FileKind } from '../../files/file-kind.ts';

const columns = { id, name: name(), default_company_id: id, suspended_at: time.nullable() };

export const partnerFile: FileKind = {
  table: 'partners',
  one: 'a partner',
  columns,
  written: Object.keys(columns),
  references: { default_company_id: { table: 'companies', one: 'company' } },
  rules: [
    sql`select line, 'name', format('%s is the name on line %s already', name, first)
      from (select line, name, min(line) over (partition by name) as first from file) as each where line > first`,
    sql`select line, 'name', format('%s is the name of partner %s already', name, partners.id)
      from file join partners using (name)
      where file.id <> partners.id and partners.id not in (select id from file)`,
  ],
};
