import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { type CompanySummary, listCompanies as list } from '../../../domain/partner/companies/company.queries.ts';
import type { Admin } from '../admin.ts';
import { examples } from '../examples.ts';
import { type Column, onePage, printRows } from '../rows.ts';

const columns: Column<CompanySummary>[] = [
  { name: 'id', value: (company) => company.id },
  { name: 'country', value: (company) => company.country },
  { name: 'city', value: (company) => company.city },
  { name: 'address', value: (company) => company.addressLine },
  { name: 'name_en', value: (company) => company.nameEn },
  { name: 'name_ar', value: (company) => company.nameAr },
];

/** `company list`: every company with its address. */
export function listCompanies({ terminal, withDatabase }: Admin): CommandUnknownOpts {
  return new Command('list')
    .description('list all companies with their address')
    .option('--json', 'print JSON')
    .addHelpText('after', examples('', '--json'))
    .action(({ json }) =>
      withDatabase((db) => printRows(terminal, columns, onePage(list(db)), { json, none: 'There are no companies.' })),
    );
}
