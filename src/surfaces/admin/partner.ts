import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import {
  insertPartner,
  listPartners,
  suspendPartner,
  updatePartner,
} from '../../domain/partner/partners/partner.queries.ts';
import { StartError } from '../../kernel/errors/start-error.ts';
import type { Admin } from './admin.ts';
import { ensureCompany, getPartner, parseId, parseName } from './options.ts';

const nameTaken = (name: string) => new StartError(`There is a partner named "${name}" already. Choose another name.`);

export function partnerCommands(admin: Admin): CommandUnknownOpts[] {
  return [
    admin
      .command('partner create', 'add a partner; prints its id', "--name 'Palm Partner' --company 3")
      .requiredOption('--name <name>', 'name of the partner, unique', parseName)
      .requiredOption('--company <id>', 'the company that the partner acts for', parseId)
      .action(({ name, company }) =>
        admin.change(async (db) => {
          await ensureCompany(db, company);
          const id = await insertPartner(db, { name, defaultCompanyId: company });
          if (id === undefined) throw nameTaken(name);
          const note = `"${name}" acts for company ${company}. Issue a token next: token issue --partner '${name}'`;
          return { text: String(id), data: { id }, note };
        }),
      ),
    admin.command('partner list', 'list all partners with the company they act for', '', '--json').action(() =>
      admin.list(async (db) => {
        const partners = await listPartners(db);
        return [
          partners.map((partner) => ({
            id: partner.id,
            name: partner.name,
            live_tokens: partner.liveTokens,
            company_id: partner.companyId,
            company_name_en: partner.companyNameEn,
            company_name_ar: partner.companyNameAr,
            suspended_at: partner.suspendedAt,
          })),
        ];
      }, 'There are no partners.'),
    ),
    admin
      .command('partner rename', 'give a partner another name', "'Palm Partner' 'Date Partner'")
      .argument('<partner>', 'id or name')
      .argument('<name>', 'its new name', parseName)
      .action((partner, name) =>
        admin.change(async (db) => {
          const { id } = await getPartner(db, partner);
          const others = await listPartners(db);
          if (others.some((other) => other.name === name && other.id !== id)) throw nameTaken(name);
          await updatePartner(db, id, { name });
          return { text: `Partner ${id} is now "${name}".`, data: { id, name } };
        }),
      ),
    suspension(admin, 'suspend', 'reject its tokens at once; its data stays'),
    suspension(admin, 'resume', 'accept the tokens of a suspended partner again'),
  ];
}

function suspension(admin: Admin, verb: 'suspend' | 'resume', description: string): CommandUnknownOpts {
  return admin
    .command(`partner ${verb}`, description, "'Palm Partner'", '3')
    .argument('<partner>', 'id or name')
    .action((partner) =>
      admin.change(async (db) => {
        const { id, name } = await getPartner(db, partner);
        await suspendPartner(db, id, verb === 'suspend');
        const text = verb === 'suspend' ? `"${name}" is suspended; its tokens are rejected.` : `"${name}" is active.`;
        return { text, data: { id, name, suspended: verb === 'suspend' } };
      }),
    );
}
