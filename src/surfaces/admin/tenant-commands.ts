import {
  branchFile,
  createBranch,
  deleteBranch,
  listBranches,
  updateBranch,
} from '../../domain/partner/companies/branches.ts';
import {
  companyFile,
  ensureCompany,
  insertCompany,
  listCompanies,
  updateCompany,
} from '../../domain/partner/companies/companies.ts';
import {
  getPartner,
  insertPartner,
  listPartners,
  partnerFile,
  suspendedAt,
  updatePartner,
} from '../../domain/partner/partners/partners.ts';
import { issueToken } from '../../domain/partner/tokens/issue-token.ts';
import { listTokens, revokeToken, tokenFile } from '../../domain/partner/tokens/tokens.ts';
import { getCityId, getServiceIds } from '../../domain/reference/queries.ts';
import type { Database } from '../../domain/tables.ts';
import type { Admin } from './commands.ts';
import { companyOption, parseDays, parseId, parseName } from './options.ts';
import { addImport } from './tenant-file-commands.ts';

const nameEn = ['--name-en <name>', 'name in English', parseName] as const;
const nameAr = ['--name-ar <name>', 'name in Arabic', parseName] as const;
const city = ['--city <id or code>', 'city of its address, as city list shows it'] as const;
const address = ['--address <line>', 'street and building', parseName] as const;
const noAddress = ['--no-address', 'remove the street and building'] as const;
const services = ['--services <codes...>', 'the services that it offers, such as dine_in delivery'] as const;

interface Place {
  nameEn?: string;
  nameAr?: string;
  city?: string;
  /** False for --no-address. */
  address?: string | false;
}

async function changesOf(db: Database, { city, address, ...names }: Place) {
  return {
    ...names,
    ...(city !== undefined && { cityId: await getCityId(db, city) }),
    ...(address !== undefined && { addressLine: address || null }),
  };
}

/** The report of a change that may have been made before. */
function reportOf(changed: boolean, done: string, data: object) {
  if (changed) return { text: done, data: { ...data } };
  return { text: 'Nothing changed: it is so already.', data: { ...data, unchanged: true }, changed };
}

export function addTenantCommands(admin: Admin): void {
  addCompanyCommands(admin);
  addBranchCommands(admin);
  addPartnerCommands(admin);
  addTokenCommands(admin);
}

function addCompanyCommands(admin: Admin): void {
  const command = admin.group('company', 'POS companies');

  command('create', 'add a POS company; prints its id', "--name-en Palm --name-ar 'نخلة' --city saruh")
    .requiredOption(...nameEn)
    .requiredOption(...nameAr)
    .requiredOption(...city)
    .option(...address)
    .action(({ nameEn, nameAr, city, address = null }) =>
      admin.change(async (db) => {
        const cityId = await getCityId(db, city);
        const id = await insertCompany(db, { nameEn, nameAr, addressLine: address, cityId });
        return { text: String(id), data: { id } };
      }),
    );

  command('list', 'list all companies with their addresses', '', '--json').action(() => admin.list(listCompanies));

  command('update', 'change a company; what no option names stays', "3 --name-en 'Date Kitchen' --city saruh")
    .argument('<id>', 'the company', parseId)
    .option(...nameEn)
    .option(...nameAr)
    .option(...city)
    .option(...address)
    .option(...noAddress)
    .action((id, place, self) => {
      if (Object.keys(self.opts()).length === 0)
        self.error('error: --name-en, --name-ar, --city or --address is required');
      return admin.change(async (db) => {
        const changed = await updateCompany(db, id, await changesOf(db, place));
        return reportOf(changed, `Company ${id} is updated.`, { id });
      });
    });

  addImport(admin, command, companyFile);
  addSuspension(admin, command, parseId, updateCompany);
}

function addSuspension<Key extends string | number>(
  admin: Admin,
  command: ReturnType<Admin['group']>,
  parseKey: (text: string) => Key,
  update: (db: Database, key: Key, changes: { suspendedAt: ReturnType<typeof suspendedAt> }) => Promise<boolean>,
): void {
  for (const verb of ['suspend', 'resume'] as const) {
    const suspended = verb === 'suspend';
    command(verb, suspended ? 'reject its tokens at once; its data stays' : 'accept its tokens again', '3')
      .argument('<id>', 'its id; of a partner, also its name', parseKey)
      .action((key) =>
        admin.change(async (db) => {
          const changed = await update(db, key as Key, { suspendedAt: suspendedAt(suspended) });
          return reportOf(changed, `Its tokens are ${suspended ? 'rejected' : 'accepted'}.`, { suspended });
        }),
      );
  }
}

function addBranchCommands(admin: Admin): void {
  const command = admin.group('branch', 'branches of a company');

  command('create', 'add a branch; prints its id', "--company 3 --name-en Olaya --name-ar 'العليا' --city saruh")
    .requiredOption(...companyOption)
    .requiredOption(...nameEn)
    .requiredOption(...nameAr)
    .requiredOption(...city)
    .option(...address)
    .option(...services)
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
    .requiredOption(...companyOption)
    .action(({ company }) =>
      admin.list(async (db) => {
        await ensureCompany(db, company);
        return listBranches(db, company);
      }),
    );

  command('update', 'change a branch; what no option names stays', '4 --company 3 --no-address --services delivery')
    .argument('<id>', 'the branch', parseId)
    .requiredOption(...companyOption)
    .option(...nameEn)
    .option(...nameAr)
    .option(...city)
    .option(...address)
    .option(...noAddress)
    .option(...services)
    .option('--no-services', 'remove all services')
    .action((id, { company, services, ...place }, self) => {
      if (Object.keys(self.opts()).length === 1)
        self.error('error: --name-en, --name-ar, --city, --address or --services is required');
      return admin.change(async (db) => {
        const serviceIds = services === undefined ? undefined : await getServiceIds(db, services || []);
        const changed = await updateBranch(db, { companyId: company, id }, await changesOf(db, place), serviceIds);
        return reportOf(changed, `Branch ${id} is updated.`, { id });
      });
    });

  addImport(admin, command, branchFile);

  command('remove', 'remove a branch for good', '4 --company 3')
    .argument('<id>', 'the branch', parseId)
    .requiredOption(...companyOption)
    .action((id, { company }) =>
      admin.change(async (db) => {
        await deleteBranch(db, { companyId: company, id });
        return { text: `Branch ${id} is removed.`, data: { id } };
      }),
    );
}

function addPartnerCommands(admin: Admin): void {
  const command = admin.group('partner', 'partners, which act for a company');

  command('create', 'add a partner; prints its id', "--name 'Palm Partner' --company 3")
    .requiredOption('--name <name>', 'name of the partner, unique', parseName)
    .requiredOption(...companyOption)
    .action(({ name, company }) =>
      admin.change(async (db) => {
        await ensureCompany(db, company);
        const id = await insertPartner(db, { name, defaultCompanyId: company });
        return { text: String(id), data: { id } };
      }),
    );

  command('list', 'list all partners with the company they act for', '', '--json').action(() =>
    admin.list(listPartners),
  );

  command('rename', 'give a partner another name', "'Palm Partner' 'Date Partner'")
    .argument('<partner>', 'id or name')
    .argument('<name>', 'its new name', parseName)
    .action((partner, name) =>
      admin.change(async (db) => {
        const { id } = await getPartner(db, partner);
        const changed = await updatePartner(db, id, { name });
        return reportOf(changed, `Partner ${id} is now "${name}".`, { id, name });
      }),
    );

  addImport(admin, command, partnerFile);
  addSuspension(admin, command, String, async (db, partner, changes) =>
    updatePartner(db, (await getPartner(db, partner)).id, changes),
  );
}

function addTokenCommands(admin: Admin): void {
  const command = admin.group('token', 'tokens of partners');

  command(
    'issue',
    'print a new token, once: only its hash is stored',
    "--partner 'Demo Partner'",
    "--partner 'Demo Partner' --days 30 --label checkout",
    "--partner 'Demo Partner' --read-only --label mirror",
  )
    .requiredOption('--partner <partner>', 'id or name of the partner')
    .option('--days <number>', 'days until it expires', parseDays, 365)
    .option('--label <text>', 'what it is for, shown by token list and in the log of requests', parseName)
    .option('--read-only', 'a token that reads everything and writes nothing')
    .action(({ partner, days, label, readOnly }) =>
      admin.change(async (db) => {
        const access = readOnly ? 'read_only' : 'full';
        const { id, token, expiresAt } = await issueToken(db, partner, { days, label, access });
        const note = `Token ${id} is shown only this once. It expires on ${expiresAt?.toISOString().slice(0, 10)}.`;
        return { text: token, note, data: { id, label, access, token, expires: expiresAt } };
      }),
    );

  addImport(admin, command, tokenFile);

  command('list', 'list all tokens (their text is not stored)', '', '--unused-for 90d --json')
    .option('--unused-for <days>', 'only tokens unused for this time, such as 90d', parseDays)
    .action(({ unusedFor }) => admin.list((db) => listTokens(db, unusedFor)));

  command('revoke', 'end a token now', '7')
    .argument('<id>', 'id of the token, as token list shows it', parseId)
    .action((id) =>
      admin.change(async (db) => {
        const { label, changed } = await revokeToken(db, id);
        return reportOf(changed, `Token ${id} is revoked.`, { id, label });
      }),
    );
}
