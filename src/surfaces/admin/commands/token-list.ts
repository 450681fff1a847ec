import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { listTokens as list, type TokenSummary } from '../../../domain/partner/tokens/token.queries.ts';
import type { Admin } from '../admin.ts';
import { examples } from '../examples.ts';
import { type Column, onePage, printRows } from '../rows.ts';

const columns: Column<TokenSummary>[] = [
  { name: 'id', value: (token) => token.id },
  { name: 'state', value: (token) => (token.live ? 'live' : token.revokedAt ? 'revoked' : 'expired') },
  { name: 'partner', value: (token) => token.partner },
  { name: 'issued', value: (token) => token.createdAt, label: 'issued' },
  { name: 'expires', value: (token) => token.expiresAt, label: 'expires', absent: 'does not expire' },
  { name: 'last_used', value: (token) => token.lastUsedAt, label: 'last used', absent: 'never used' },
];

/** `token list`: every token, live or not. */
export function listTokens({ terminal, withDatabase }: Admin): CommandUnknownOpts {
  return new Command('list')
    .description('list all tokens (their text is not stored)')
    .option('--json', 'print JSON')
    .addHelpText('after', examples('', '--json'))
    .action(({ json }) =>
      withDatabase((db) => printRows(terminal, columns, onePage(list(db)), { json, none: 'There are no tokens.' })),
    );
}
