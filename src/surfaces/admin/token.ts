import { listTokens, revokeToken } from '../../domain/partner/tokens/token.queries.ts';
import { issueToken } from '../../domain/partner/tokens/token.service.ts';
import { StartError } from '../../kernel/errors/start-error.ts';
import type { Admin } from './admin.ts';
import { parseDays, parseId } from './options.ts';

export function addTokenCommands(admin: Admin): void {
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
        if (!(await revokeToken(db, id)))
          throw new StartError(`There is no token ${id}. Run token list to see the tokens.`);
        return { text: `Token ${id} is revoked.`, data: { id } };
      });
    });
}
