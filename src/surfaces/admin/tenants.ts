import {
  createBranch,
  deleteBranch,
  listBranches,
  updateBranch,
} from '../../domain/partner/companies/branch.queries.ts';
import {
  ensureCompany,
  insertCompany,
  listCompanies,
  updateCompany,
} from '../../domain/partner/companies/company.queries.ts';
import {
  getPartner,
  insertPartner,
  listPartners,
  suspendedAt,
  updatePartner,
} from '../../domain/partner/partners/partner.queries.ts';
import { listTokens, revokeToken } from '../../domain/partner/tokens/token.queries.ts';
import { issueToken } from '../../domain/partner/tokens/token.service.ts';
import { getCityId } from '../../domain/reference/cities/city.queries.ts';
import { getServiceIds } from '../../domain/reference/services/service.queries.ts';
import type { Database } from '../../domain/tables.ts';
import type { Admin } from './admin.ts';
import { parseDays, parseId, parseName } from './options.ts';

/** Companies, their branches, the partners that act for them, and the tokens of partners. */
export function addTenantCommands(admin: Admin): void {
  addCompanyCommands(admin);
  addBranchCommands(admin);
  addPartnerCommands(admin);
  addTokenCommands(admin);
}

function addCompanyCommands(admin: Admin): void {
  const command = admin.group('company', 'POS companies');

  command(
    'create',
    'add a POS company; prints its id',
    "--name-en 'Palm Kitchen' --name-ar 'مطبخ النخلة' --city saruh --address 'King Fahd Road 12'",
  )
    .requiredOption('--name-en <name>', 'name in English', parseName)
    .requiredOption('--name-ar <name>', 'name in Arabic', parseName)
    .requiredOption('--city <id or code>', 'city of its address, as city list shows it')
    .option('--address <line>', 'street and building', parseName)
    .action(({ nameEn, nameAr, city, address = null }) =>
      admin.change(async (db) => {
        const cityId = await getCityId(db, city);
        const id = await insertCompany(db, { nameEn, nameAr, addressLine: address, cityId });
        const note = `Add a partner that acts for it next: partner create --name NAME --company ${id}`;
        return { text: String(id), data: { id }, note };
      }, listCompanies),
    );

  command('list', 'list all companies with their addresses', '', '--json').action(() =>
    admin.list(listCompanies, 'There are no companies.'),
  );

  command('rename', 'give a company other names', "3 --name-en 'Date Kitchen'")
    .argument('<id>', 'the company', parseId)
    .option('--name-en <name>', 'its new name in English', parseName)
    .option('--name-ar <name>', 'its new name in Arabic', parseName)
    .action((id, names, self) => {
      if (Object.keys(names).length === 0) self.error('error: --name-en or --name-ar is required');
      return admin.change(async (db) => {
        await updateCompany(db, id, names);
        return { text: `Company ${id} is renamed.`, data: { id } };
      }, listCompanies);
    });

  for (const [verb, description] of [
    ['suspend', 'reject the tokens of its partners at once; its data stays'],
    ['resume', 'accept the tokens of its partners again'],
  ] as const) {
    command(verb, description, '3')
      .argument('<id>', 'the company', parseId)
      .action((id) =>
        admin.change(async (db) => {
          await updateCompany(db, id, { suspendedAt: suspendedAt(verb === 'suspend') });
          const state = verb === 'suspend' ? 'suspended; the tokens of its partners are rejected' : 'active';
          return { text: `Company ${id} is ${state}.`, data: { id, suspended: verb === 'suspend' } };
        }, listCompanies),
      );
  }
}

function addBranchCommands(admin: Admin): void {
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
        const cityId = await getCityId(db, city);
        const branch = { companyId: company, nameEn, nameAr, addressLine: address, cityId };
        const id = await createBranch(db, branch, await getServiceIds(db, services));
        return { text: String(id), data: { id } };
      }, branchesOf(company)),
    );

  command('list', 'list the branches of a company with their addresses', '--company 3')
    .requiredOption('--company <id>', 'the company', parseId)
    .action(({ company }) => admin.list(branchesOf(company), 'The company has no branches.'));

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
    .action((id, { company, city, address, services, ...names }, self) => {
      if (Object.keys(self.opts()).length === 1)
        self.error('error: --name-en, --name-ar, --city, --address or --services is required');
      return admin.change(async (db) => {
        const changes = {
          ...names,
          ...(city && { cityId: await getCityId(db, city) }),
          ...(address !== undefined && { addressLine: address === false ? null : address }),
        };
        const codes = services === false ? [] : Array.isArray(services) ? services : undefined;
        const serviceIds = codes && (await getServiceIds(db, codes));
        await updateBranch(db, { companyId: company, id }, changes, serviceIds);
        return { text: `Branch ${id} is updated.`, data: { id } };
      }, branchesOf(company));
    });

  command('remove', 'remove a branch; asks first in a terminal', '4 --company 3', '4 --company 3 --yes')
    .argument('<id>', 'the branch', parseId)
    .requiredOption('--company <id>', 'its company', parseId)
    .option('-y, --yes', 'do not ask')
    .action(async (id, { company, yes }) => {
      if (!yes) await admin.confirm(`Remove branch ${id} for good?`);
      await admin.change(async (db) => {
        await deleteBranch(db, { companyId: company, id });
        return { text: `Branch ${id} is removed.`, data: { id } };
      }, branchesOf(company));
    });
}

const branchesOf = (company: number) => async (db: Database) => {
  await ensureCompany(db, company);
  return listBranches(db, company);
};

function addPartnerCommands(admin: Admin): void {
  const command = admin.group('partner', 'partners, which act for a company');

  command('create', 'add a partner; prints its id', "--name 'Palm Partner' --company 3")
    .requiredOption('--name <name>', 'name of the partner, unique', parseName)
    .requiredOption('--company <id>', 'the company that the partner acts for', parseId)
    .action(({ name, company }) =>
      admin.change(async (db) => {
        await ensureCompany(db, company);
        const id = await insertPartner(db, { name, defaultCompanyId: company });
        const note = `"${name}" acts for company ${company}. Issue a token next: token issue --partner '${name}'`;
        return { text: String(id), data: { id }, note };
      }, listPartners),
    );

  command('list', 'list all partners with the company they act for', '', '--json').action(() =>
    admin.list(listPartners, 'There are no partners.'),
  );

  command('rename', 'give a partner another name', "'Palm Partner' 'Date Partner'")
    .argument('<partner>', 'id or name')
    .argument('<name>', 'its new name', parseName)
    .action((partner, name) =>
      admin.change(async (db) => {
        const { id } = await getPartner(db, partner);
        await updatePartner(db, id, { name });
        return { text: `Partner ${id} is now "${name}".`, data: { id, name } };
      }, listPartners),
    );

  for (const [verb, description, state] of [
    ['suspend', 'reject its tokens at once; its data stays', 'suspended; its tokens are rejected'],
    ['resume', 'accept the tokens of a suspended partner again', 'active'],
  ] as const) {
    const suspended = verb === 'suspend';
    command(verb, description, "'Palm Partner'", '3')
      .argument('<partner>', 'id or name')
      .action((partner) =>
        admin.change(async (db) => {
          const { id, name } = await getPartner(db, partner);
          await updatePartner(db, id, { suspendedAt: suspendedAt(suspended) });
          return { text: `"${name}" is ${state}.`, data: { id, name, suspended } };
        }, listPartners),
      );
  }
}

function addTokenCommands(admin: Admin): void {
  const command = admin.group('token', 'tokens of partners');

  command(
    'issue',
    'print a new token; it is not stored, so it is shown only this once',
    "--partner 'Demo Partner'",
    "--partner 'Demo Partner' --days 30 > token",
  )
    .requiredOption('--partner <name>', 'name of the partner')
    .option('--days <number>', 'days until it expires', parseDays, 365)
    .action(({ partner, days }) =>
      admin.change(async (db) => {
        const token = await issueToken(db, partner, days);
        return { text: token, data: { token, days }, isSecret: true, note: `It is valid for ${days} days.` };
      }),
    );

  command('list', 'list all tokens (their text is not stored)', '', '--unused-for 90d --json')
    .option('--unused-for <days>', 'only tokens that no request used for so long, such as 90d', parseDays)
    .action(({ unusedFor }) => admin.list((db) => listTokens(db, unusedFor), 'There are no such tokens.'));

  command('revoke', 'end a token now; asks first in a terminal', '7', '7 --yes')
    .argument('<id>', 'id of the token, as token list shows it', parseId)
    .option('-y, --yes', 'do not ask')
    .action(async (id, { yes }) => {
      if (!yes) await admin.confirm(`Token ${id} will be rejected from now on. Revoke it?`);
      await admin.change(async (db) => {
        await revokeToken(db, id);
        return { text: `Token ${id} is revoked.`, data: { id } };
      }, listTokenStates);
    });
}

// Without the times of use, which change by themselves.
async function listTokenStates(db: Database) {
  return (await listTokens(db)).map(({ lastUsed: _, ...token }) => token);
}
