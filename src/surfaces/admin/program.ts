import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { version } from '../../kernel/package.ts';
import { Admin, type Host } from './admin.ts';
import { addCompareCommand } from './compare/command.ts';
import { addDatabaseCommands } from './database.ts';
import { addItemCommands } from './item.ts';
import { addReferenceCommands } from './reference.ts';
import { addTagCommands } from './tag.ts';
import { addTenantCommands } from './tenants.ts';

const notes = `
The database is that of DATABASE_URL; without it, the embedded one in DATA_DIR.
In a terminal, lists are tables; elsewhere, lines of cells between tabs, without a heading; with --json, JSON.

Exit codes: 0 done; 1 rejected, nothing was changed (of compare: something differs); 2 wrong usage; 130 interrupted (Ctrl-C), nothing was changed.`;

/** Every command, with its options and its help. The caller, not the library, ends the process. */
export function createProgram(host: Host): CommandUnknownOpts {
  const { stdout, stderr } = host.streams;
  const program = new Command(host.programName)
    .exitOverride()
    .helpOption('-h, --help', 'show this help')
    .showHelpAfterError(`See: ${host.programName} --help`)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      outputError: (text, write) => write(`${sentenceOf(text)} `),
    });
  const admin = new Admin(host, program);
  // In the order of the help.
  addDatabaseCommands(admin);
  addTenantCommands(admin);
  addItemCommands(admin);
  addTagCommands(admin);
  addReferenceCommands(admin);
  addCompareCommand(admin);
  return program
    .description('Administers the database of the partner gateway.')
    .usage('COMMAND')
    .version(version, '--version', 'show the version')
    .option('--json', 'print JSON')
    .option('--as <name>', `who makes the change, for the log (ADMIN_USER; now ${host.user})`)
    .addHelpText('after', notes)
    .addHelpText('after', admin.examples('', ['migrate', 'seed --demo', 'token issue --help']));
}

// The library's messages take two lines where it suggests another word.
function sentenceOf(error: string): string {
  const text = error
    .replace(/^error: /, '')
    .trim()
    .replace(/\s*\n\s*/g, ' ');
  return /[.)]$/.test(text) ? text : `${text}.`;
}
