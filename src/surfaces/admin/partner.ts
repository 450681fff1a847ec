import { ensureCompany } from '../../domain/partner/companies/company.queries.ts';
import {
  getPartner,
  insertPartner,
  listPartners,
  renamePartner,
} from '../../domain/partner/partners/partner.queries.ts';
import { setSuspended } from '../../domain/partner/suspension.ts';
import type { Admin } from './admin.ts';
import { parseId, parseName } from './options.ts';

export function addPartnerCommands(admin: Admin): void {
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
      }),
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
        await renamePartner(db, id, name);
        return { text: `Partner ${id} is now "${name}".`, data: { id, name } };
      }),
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
          await setSuspended(db, 'partners', id, suspended);
          return { text: `"${name}" is ${state}.`, data: { id, name, suspended } };
        }),
      );
  }
}
