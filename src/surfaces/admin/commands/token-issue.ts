import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { issueToken as issue } from '../../../domain/partner/tokens/token.service.ts';
import { StartError } from '../../../kernel/errors/start-error.ts';
import type { Admin } from '../admin.ts';
import { examples } from '../examples.ts';
import { parseDays } from '../options.ts';

/** `token issue`: a new token of a partner. */
export function issueToken({ terminal, withDatabase }: Admin): CommandUnknownOpts {
  return new Command('issue')
    .description('print a new token, and nothing else: it is not stored, so this is the only time')
    .requiredOption('--partner <name>', 'name of the partner it is for')
    .option('--days <number>', 'for how many days it is valid', parseDays, 365)
    .addHelpText('after', examples("--partner 'Demo Partner'", "--partner 'Demo Partner' --days 30 > token"))
    .action(({ partner, days }) =>
      withDatabase(async (db) => {
        const issued = await issue(db, partner, days);
        if ('refused' in issued) throw new StartError(issued.refused);
        await terminal.print(issued.token);
        terminal.note(`It is valid for ${days} days, and shown this once.`);
      }),
    );
}
