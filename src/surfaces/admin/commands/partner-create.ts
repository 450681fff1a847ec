import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { insertPartner } from '../../../domain/partner/partners/partner.queries.ts';
import { StartError } from '../../../kernel/errors/start-error.ts';
import type { Admin } from '../admin.ts';
import { ensureCompany } from '../ensure.ts';
import { examples } from '../examples.ts';
import { parseId, parseName } from '../options.ts';

/** `partner create`: a partner who acts for a company. */
export function createPartner({ terminal, withDatabase }: Admin): CommandUnknownOpts {
  return new Command('create')
    .description('add a partner; prints the id and nothing else')
    .requiredOption('--name <name>', 'name of the partner, which no other has', parseName)
    .requiredOption('--company <id>', 'the company that the partner acts for', parseId)
    .addHelpText('after', examples("--name 'Palm Partner' --company 3"))
    .action(({ name, company }) =>
      withDatabase(async (db) => {
        await ensureCompany(db, company);
        const id = await insertPartner(db, { name, defaultCompanyId: company });
        if (id === undefined) throw new StartError(`There is a partner named "${name}" already. Choose another name.`);
        await terminal.print(String(id));
        terminal.note(`"${name}" acts for company ${company}. A token is next: token issue --partner '${name}'`);
      }),
    );
}
