import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { type BranchSummary, listBranches as list } from '../../../domain/partner/companies/branch.queries.ts';
import type { Admin } from '../admin.ts';
import { ensureCompany } from '../ensure.ts';
import { examples } from '../examples.ts';
import { parseId } from '../options.ts';
import { type Column, onePage, printRows } from '../rows.ts';

const columns: Column<BranchSummary>[] = [
  { name: 'id', value: (branch) => branch.id },
  { name: 'country', value: (branch) => branch.country },
  { name: 'city', value: (branch) => branch.city },
  { name: 'address', value: (branch) => branch.addressLine },
  { name: 'services', value: (branch) => branch.services },
  { name: 'name_en', value: (branch) => branch.nameEn },
  { name: 'name_ar', value: (branch) => branch.nameAr },
];

/** `branch list`: the branches of a company with their addresses. */
export function listBranches({ terminal, withDatabase }: Admin): CommandUnknownOpts {
  return new Command('list')
    .description('list the branches of a company with their addresses')
    .requiredOption('--company <id>', 'the company', parseId)
    .option('--json', 'print JSON')
    .addHelpText('after', examples('--company 3'))
    .action(({ company, json }) =>
      withDatabase(async (db) => {
        await ensureCompany(db, company);
        await printRows(terminal, columns, onePage(list(db, company)), { json, none: 'The company has no branches.' });
      }),
    );
}
