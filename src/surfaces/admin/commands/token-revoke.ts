import { Argument, Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { revokeToken as revoke } from '../../../domain/partner/tokens/token.queries.ts';
import { StartError } from '../../../kernel/errors/start-error.ts';
import type { Admin } from '../admin.ts';
import { examples } from '../examples.ts';
import { parseId } from '../options.ts';

/** `token revoke`: ends a token. */
export function revokeToken({ terminal, signal, withDatabase }: Admin): CommandUnknownOpts {
  return new Command('revoke')
    .description('end a token now; in a terminal it asks first')
    .addArgument(new Argument('<id>', 'id of the token, as token list shows it').argParser(parseId))
    .option('-y, --yes', 'do not ask')
    .addHelpText('after', examples('7', '7 --yes'))
    .action(async (id, { yes }) => {
      if (!yes) await terminal.confirm(`Token ${id} will be of no use from now on, for good. Revoke it?`, signal);
      await withDatabase(async (db) => {
        if (!(await revoke(db, id))) throw new StartError(`There is no token ${id}. token list shows those there are.`);
        await terminal.print(`Token ${id} is revoked.`);
      });
    });
}
