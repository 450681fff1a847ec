import { ensureCompany, insertCompany, updateCompany } from '../../domain/partner/companies/companies.ts';
import {
  getPartner,
  insertPartner,
  listPartners,
  toSuspendedAt,
  updatePartner,
} from '../../domain/partner/partners/partners.ts';
import { issueToken } from '../../domain/partner/tokens/issue-token.ts';
import { listTokens, revokeToken } from '../../domain/partner/tokens/tokens.ts';
import { getCityId } from '../../domain/reference/queries.ts';
import type { Admin } from './commands.ts';
import { parseDays, parseId, parseName } from './options.ts';

const nameEn = ['--name-en <name>', 'name in English', parseName] as const;
const nameAr = ['--name-ar <name>', 'name in Arabic', parseName] as const;
const city = ['--city <code>', 'city of its address; export cities has the codes'] as const;
const address = ['--address <line>', 'street and building', parseName] as const;

function createReport(changed: boolean, done: string, data: Record<string, unknown>) {
  return { text: changed ? done : 'No changes.', data: { ...data, changed }, changed };
}

export function addPartnerCommands(admin: Admin): void {
  const company = admin.program.command('company').description('companies, which partners act for');

  company
    .command('create')
    .description('add a company; prints its id')
    .requiredOption(...nameEn)
    .requiredOption(...nameAr)
    .requiredOption(...city)
    .option(...address)
    .action(({ city, address = null, ...names }) =>
      admin.change(async (db) => {
        const id = await insertCompany(db, { ...names, addressLine: address, cityId: await getCityId(db, city) });
        return { text: String(id), data: { id } };
      }),
    );

  company
    .command('update')
    .description('change the given fields of a company')
    .argument('<id>', 'the company', parseId)
    .option(...nameEn)
    .option(...nameAr)
    .option(...city)
    .option(...address)
    .action((id, { city, address, ...names }, self) => {
      if (Object.keys(self.opts()).length === 0) self.error('error: give at least one option');
      return admin.change(async (db) => {
        const cityId = city === undefined ? {} : { cityId: await getCityId(db, city) };
        const changes = { ...names, ...cityId, ...(address !== undefined && { addressLine: address }) };
        return createReport(await updateCompany(db, id, changes), `Updated company ${id}.`, { id });
      });
    });

  const partner = admin.program.command('partner').description('partners and their tokens');

  partner
    .command('create')
    .description('add a partner; prints its id')
    .requiredOption('--name <name>', 'its unique name', parseName)
    .requiredOption('--company <id>', 'the company it acts for', parseId)
    .action(({ name, company }) =>
      admin.change(async (db) => {
        await ensureCompany(db, company);
        const id = await insertPartner(db, { name, defaultCompanyId: company });
        return { text: String(id), data: { id } };
      }),
    );

  partner
    .command('list')
    .description('list all partners')
    .action(() => admin.list(listPartners));

  partner
    .command('rename')
    .description('give a partner another name')
    .argument('<partner>', 'id or name')
    .argument('<name>', 'its new name', parseName)
    .action((partner, name) =>
      admin.change(async (db) => {
        const { id } = await getPartner(db, partner);
        return createReport(await updatePartner(db, id, { name }), `Partner ${id} is now "${name}".`, { id, name });
      }),
    );

  for (const suspended of [true, false]) {
    const verb = suspended ? 'suspend' : 'resume';
    const description = suspended ? 'reject its tokens at once; its data stays' : 'accept its tokens again';
    const describe = (noun: string, id: number) =>
      suspended ? `Suspended ${noun} ${id}. Its tokens no longer work.` : `Resumed ${noun} ${id}.`;
    const changes = { suspendedAt: toSuspendedAt(suspended) };
    company
      .command(verb)
      .description(description)
      .argument('<id>', 'the company', parseId)
      .action((id) =>
        admin.change(async (db) =>
          createReport(await updateCompany(db, id, changes), describe('company', id), { id, suspended }),
        ),
      );
    partner
      .command(verb)
      .description(description)
      .argument('<partner>', 'id or name')
      .action((partner) =>
        admin.change(async (db) => {
          const { id } = await getPartner(db, partner);
          return createReport(await updatePartner(db, id, changes), describe('partner', id), { id, suspended });
        }),
      );
  }

  const token = admin.program.command('token').description('tokens of partners');

  token
    .command('issue')
    .description('print a new token once; only its hash is stored')
    .requiredOption('--partner <partner>', 'id or name of the partner')
    .option('--days <number>', 'days until it expires', parseDays, 365)
    .option('--label <text>', 'purpose, shown by token list and in the request log', parseName)
    .option('--read-only', 'a token without write access')
    .action(({ partner, days, label, readOnly }) =>
      admin.change(async (db) => {
        const access = readOnly ? 'read_only' : 'full';
        const { id, token, expiresAt } = await issueToken(db, partner, { days, label, access });
        const note = `Token ${id} is shown only this once. It expires on ${expiresAt?.toISOString().slice(0, 10)}.`;
        return { text: token, note, data: { id, label, access, token, expires: expiresAt } };
      }),
    );

  token
    .command('list')
    .description('list all tokens, without their text')
    .option('--unused-for <days>', 'only tokens unused for this number of days', parseDays)
    .action(({ unusedFor }) => admin.list((db) => listTokens(db, unusedFor)));

  token
    .command('revoke')
    .description('revoke a token at once')
    .argument('<id>', 'its id in token list', parseId)
    .action((id) =>
      admin.change(async (db) => {
        const { label, changed } = await revokeToken(db, id);
        return createReport(changed, `Revoked token ${id}.`, { id, label });
      }),
    );
}
