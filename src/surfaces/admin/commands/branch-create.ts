import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { createBranch as create } from '../../../domain/partner/companies/branch.queries.ts';
import type { Admin } from '../admin.ts';
import { ensureCompany, getCityId, getServiceIds } from '../ensure.ts';
import { examples } from '../examples.ts';
import { parseId, parseName } from '../options.ts';

/** `branch create`: a branch of a company. */
export function createBranch({ terminal, withDatabase }: Admin): CommandUnknownOpts {
  return new Command('create')
    .description('add a branch to a company; prints the id and nothing else')
    .requiredOption('--company <id>', 'the company it is of', parseId)
    .requiredOption('--name-en <name>', 'name in English', parseName)
    .requiredOption('--name-ar <name>', 'name in Arabic', parseName)
    .requiredOption('--city <id or code>', 'city of its address, as city list shows it')
    .option('--address <line>', 'street, building and the like', parseName)
    .option('--services <codes...>', 'what it offers: dine_in, delivery, pick_up, curbside')
    .addHelpText(
      'after',
      examples("--company 3 --name-en Olaya --name-ar 'العليا' --city saruh --services dine_in delivery"),
    )
    .action(({ company, nameEn, nameAr, city, address = null, services = [] }) =>
      withDatabase(async (db) => {
        await ensureCompany(db, company);
        const branch = { companyId: company, nameEn, nameAr, addressLine: address, cityId: await getCityId(db, city) };
        const id = await create(db, branch, await getServiceIds(db, services));
        await terminal.print(String(id));
      }),
    );
}
