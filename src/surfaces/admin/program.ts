import { Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { version } from '../../kernel/package.ts';
import { Admin, type Host } from './admin.ts';
import { branchCommands } from './branch.ts';
import { cityCommands } from './city.ts';
import { companyCommands } from './company.ts';
import { compareCommand } from './compare/command.ts';
import { databaseCommands } from './database.ts';
import { itemCommands } from './item.ts';
import { logCommand } from './log.ts';
import { partnerCommands } from './partner.ts';
import { referenceCommands } from './reference.ts';
import { tagCommands } from './tag.ts';
import { tokenCommands } from './token.ts';

const notes = `
The database is that of DATABASE_URL; without it, the embedded one in DATA_DIR.
In a terminal, lists are tables; elsewhere, lines of cells between tabs, without a heading; with --json, JSON.

Exit codes: 0 done; 1 rejected, nothing was changed (of compare: something differs); 2 wrong usage; 130 interrupted (Ctrl-C), nothing was changed.`;

/** Every command, with its options and its help. */
export function createProgram(host: Host): CommandUnknownOpts {
  const admin = new Admin(host);
  const program = new Command(host.programName)
    .description('Administers the database of the partner gateway.')
    .usage('COMMAND')
    .version(version, '--version', 'show the version')
    .option('--json', 'print JSON')
    .addOption(new Option('--as <name>', `who makes the change, for the log (ADMIN_USER; now ${host.user})`))
    .addHelpText('after', notes)
    .addHelpText('after', admin.examples('migrate', 'seed --demo', 'token issue --help'))
    .hook('preAction', (_program, command) => admin.begin(command));
  for (const command of databaseCommands(admin)) program.addCommand(command);
  for (const command of [
    group('company', 'POS companies', companyCommands(admin)),
    group('branch', 'branches of a company', branchCommands(admin)),
    group('partner', 'partners, which act for a company', partnerCommands(admin)),
    group('token', 'tokens of partners', tokenCommands(admin)),
    group('item', 'items of a company', itemCommands(admin)),
    group('tag', 'product tags of a company', tagCommands(admin)),
    group(
      'reference',
      'reference lists: countries, cities, time zones, services and lookups',
      referenceCommands(admin),
    ),
    group('city', 'cities of addresses', cityCommands(admin)),
    logCommand(admin),
    compareCommand(admin),
  ]) {
    program.addCommand(command);
  }
  configure(program, admin);
  return program;
}

function group(name: string, description: string, commands: CommandUnknownOpts[]): CommandUnknownOpts {
  const group = new Command(name).description(description).usage('COMMAND');
  for (const command of commands) group.addCommand(command);
  return group;
}

// Wrong usage is one line that names the help; the caller, not the library, ends the process.
function configure(command: CommandUnknownOpts, admin: Admin, parents = ''): void {
  const path = `${parents}${command.name()}`;
  const { stdout, stderr } = admin.host.streams;
  command
    .exitOverride()
    .helpCommand(false)
    .helpOption('-h, --help', 'show this help')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      outputError: (text) => {
        const sentence = text
          .trim()
          .replace(/^error: /, '')
          .replace(/\s*\n\s*/g, ' ');
        admin.output.error(`${sentence}${/[.)]$/.test(sentence) ? '' : '.'} See: ${path} --help`);
      },
    });
  for (const child of command.commands) configure(child, admin, `${path} `);
}
