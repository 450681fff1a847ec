import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { version } from '../../kernel/package.ts';
import { Admin, type Host } from './commands.ts';
import { addCompareCommand } from './compare/command.ts';
import { addDatabaseCommands } from './database.ts';
import { addReferenceCommands } from './reference-lists.ts';
import { addTenantFileCommands } from './tenant-files.ts';
import { addTenantCommands } from './tenants.ts';

const notes = `
The database is that of DATABASE_URL; without it, the embedded one in DATA_DIR. Lists are tables or, with --json, JSON.

Exit codes: 0 done; 1 rejected, nothing was changed (of compare: something differs); 2 wrong usage; 130 interrupted (Ctrl-C), nothing was changed.`;

/** Every command, with its options and its help. The caller, not the library, ends the process. */
export function createProgram(host: Host): CommandUnknownOpts {
  const { stdout, stderr } = host.streams;
  const program = new Command(host.programName)
    .exitOverride()
    .showHelpAfterError(`See: ${host.programName} --help`)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: (text) => stdout.write(text), writeErr: (text) => stderr.write(text) });
  const admin = new Admin(host, program);
  // In the order of the help.
  addDatabaseCommands(admin);
  addTenantCommands(admin);
  addTenantFileCommands(admin);
  addReferenceCommands(admin);
  addCompareCommand(admin);
  return program
    .description('Administers the database of the partner gateway.')
    .version(version, '--version', 'show the version')
    .option('--json', 'print JSON')
    .option('--as <name>', `who makes the change, for the log (ADMIN_USER; now ${host.user})`)
    .addHelpText('after', notes);
}
