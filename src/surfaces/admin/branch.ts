import {
  createBranch,
  deleteBranch,
  listBranches,
  updateBranch,
} from '../../domain/partner/companies/branch.queries.ts';
import { ensureCompany } from '../../domain/partner/companies/company.queries.ts';
import { getCityId } from '../../domain/reference/cities/city.queries.ts';
import { getServiceIds } from '../../domain/reference/services/service.queries.ts';
import type { Admin } from './admin.ts';
import { parseId, parseName } from './options.ts';

export function addBranchCommands(admin: Admin): void {
  const command = admin.group('branch', 'branches of a company');

  command(
    'create',
    'add a branch to a company; prints its id',
    "--company 3 --name-en Olaya --name-ar 'العليا' --city saruh --services dine_in delivery",
  )
    .requiredOption('--company <id>', 'the company', parseId)
    .requiredOption('--name-en <name>', 'name in English', parseName)
    .requiredOption('--name-ar <name>', 'name in Arabic', parseName)
    .requiredOption('--city <id or code>', 'city of its address, as city list shows it')
    .option('--address <line>', 'street and building', parseName)
    .option('--services <codes...>', 'the services that it offers, such as dine_in delivery')
    .action(({ company, nameEn, nameAr, city, address = null, services = [] }) =>
      admin.change(async (db) => {
        await ensureCompany(db, company);
        const cityId = await getCityId(db, city);
        const branch = { companyId: company, nameEn, nameAr, addressLine: address, cityId };
        const id = await createBranch(db, branch, await getServiceIds(db, services));
        return { text: String(id), data: { id } };
      }),
    );

  command('list', 'list the branches of a company with their addresses', '--company 3')
    .requiredOption('--company <id>', 'the company', parseId)
    .action(({ company }) =>
      admin.list(async (db) => {
        await ensureCompany(db, company);
        return listBranches(db, company);
      }, 'The company has no branches.'),
    );

  command(
    'update',
    'change a branch; what no option names stays',
    "4 --company 3 --name-en 'North Olaya'",
    '4 --company 3 --no-address --services delivery',
  )
    .argument('<id>', 'the branch', parseId)
    .requiredOption('--company <id>', 'its company', parseId)
    .option('--name-en <name>', 'name in English', parseName)
    .option('--name-ar <name>', 'name in Arabic', parseName)
    .option('--city <id or code>', 'city of its address')
    .option('--address <line>', 'street and building', parseName)
    .option('--no-address', 'remove the street and building')
    .option('--services <codes...>', 'the services that it offers, in place of the present ones')
    .option('--no-services', 'remove all services')
    .action((id, { company, city, address, services, ...names }) =>
      admin.change(async (db) => {
        const changes = {
          ...names,
          ...(city && { cityId: await getCityId(db, city) }),
          ...(address !== undefined && { addressLine: address === false ? null : address }),
        };
        const codes = services === false ? [] : Array.isArray(services) ? services : undefined;
        const serviceIds = codes && (await getServiceIds(db, codes));
        await updateBranch(db, { companyId: company, id }, changes, serviceIds);
        return { text: `Branch ${id} is updated.`, data: { id } };
      }),
    );

  command('remove', 'remove a branch; asks first in a terminal', '4 --company 3', '4 --company 3 --yes')
    .argument('<id>', 'the branch', parseId)
    .requiredOption('--company <id>', 'its company', parseId)
    .option('-y, --yes', 'do not ask')
    .action(async (id, { company, yes }) => {
      if (!yes) await admin.confirm(`Remove branch ${id} for good?`);
      await admin.change(async (db) => {
        await deleteBranch(db, { companyId: company, id });
        return { text: `Branch ${id} is removed.`, data: { id } };
      });
    });
}
