import { relative } from 'node:path';
import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { version } from '../../kernel/package.ts';
import type { Admin } from './admin.ts';
import { createBranch } from './commands/branch-create.ts';
import { listBranches } from './commands/branch-list.ts';
import { listCities } from './commands/city-list.ts';
import { createCompany } from './commands/company-create.ts';
import { listCompanies } from './commands/company-list.ts';
import { importItems } from './commands/item-import.ts';
import { listItems } from './commands/item-list.ts';
import { migrate } from './commands/migrate.ts';
import { createPartner } from './commands/partner-create.ts';
import { listPartners } from './commands/partner-list.ts';
import { seed } from './commands/seed.ts';
import { issueToken } from './commands/token-issue.ts';
import { listTokens } from './commands/token-list.ts';
import { revokeToken } from './commands/token-revoke.ts';
import { examples } from './examples.ts';

const notes = `
The database is that of DATABASE_URL; without it, the embedded one in DATA_DIR.
In a terminal, lists are tables; elsewhere, lines of cells between tabs, without a heading; with --json, JSON.

Exit codes: 0 done; 1 refused, nothing was changed; 2 wrong usage; 130 interrupted (Ctrl-C), nothing was changed.`;

/** Every command, with its options and its help. */
export function createProgram(admin: Admin): CommandUnknownOpts {
  const program = new Command(programName())
    .description('Looks after the database of the partner gateway.')
    .usage('COMMAND')
    .version(version, '--version', 'show the version')
    .addHelpText('after', notes)
    .addHelpText('after', examples('migrate', 'seed --demo', 'token issue --help'))
    .addCommand(migrate(admin))
    .addCommand(seed(admin))
    .addCommand(group('company', 'POS companies', [createCompany(admin), listCompanies(admin)]))
    .addCommand(group('branch', 'branches of a company', [createBranch(admin), listBranches(admin)]))
    .addCommand(group('partner', 'partners, who act for a company', [createPartner(admin), listPartners(admin)]))
    .addCommand(group('token', 'tokens of partners', [issueToken(admin), listTokens(admin), revokeToken(admin)]))
    .addCommand(group('item', 'items of a company', [importItems(admin), listItems(admin)]))
    .addCommand(group('city', 'cities, which addresses name', [listCities(admin)]));
  configure(program, admin);
  return program;
}

function group(name: string, description: string, commands: CommandUnknownOpts[]): CommandUnknownOpts {
  const group = new Command(name).description(description).usage('COMMAND');
  for (const command of commands) group.addCommand(command);
  return group;
}

// Wrong usage is one line that names the help to look at; ending the process is not the library's.
function configure(command: CommandUnknownOpts, admin: Admin, parents = ''): void {
  const path = `${parents}${command.name()}`;
  command
    .exitOverride()
    .helpCommand(false)
    .helpOption('-h, --help', 'show this help')
    .configureOutput({
      outputError: (text) => {
        const sentence = text
          .trim()
          .replace(/^error: /, '')
          .replace(/\s*\n\s*/g, ' ');
        admin.terminal.complain(`${sentence}${/[.)]$/.test(sentence) ? '' : '.'} See: ${path} --help`);
      },
    });
  for (const child of command.commands) configure(child, admin, `${path} `);
}

// As whoever called it did: npm, or Node itself where there is nothing else, as in the image.
function programName(): string {
  if (process.env.npm_lifecycle_event === 'admin') return 'npm run -s admin --';
  return `node ${relative('', process.argv[1] ?? '')}`;
}
