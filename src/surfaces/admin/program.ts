import { Command, type CommandUnknownOpts, Help, type Option } from '@commander-js/extra-typings';
import { version } from '../../kernel/package.ts';
import { Admin, type Host } from './commands.ts';
import { addDatabaseCommands } from './database-commands.ts';
import { addReferenceCommands } from './reference-commands.ts';
import { addTenantCommands } from './tenant-commands.ts';
import { addTenantFileCommands } from './tenant-file-commands.ts';

const notes = `
The database is DATABASE_URL or, if that is unset, the embedded database in DATA_DIR. --json prints JSON, not tables.

Exit codes: 0 done; 1 rejected, nothing was changed; 2 wrong usage; 130 interrupted with Ctrl-C, nothing was
changed.`;

/** All commands with their options and help. The caller, not the library, ends the process. */
export function createProgram(host: Host): CommandUnknownOpts {
  const { stdout, stderr } = host.streams;
  const program = new Command(host.programName)
    .exitOverride()
    .showHelpAfterError(`See: ${host.programName} --help`)
    .configureHelp({ showGlobalOptions: true, optionDescription: describeOption })
    .configureOutput({ writeOut: (text) => stdout.write(text), writeErr: (text) => stderr.write(text) });
  const admin = new Admin(host, program);
  // The help lists commands in this order.
  addDatabaseCommands(admin);
  addTenantCommands(admin);
  addTenantFileCommands(admin);
  addReferenceCommands(admin);
  return program
    .description('Administers the database of the partner gateway.')
    .version(version, '--version', 'show the version')
    .option('--json', 'print JSON')
    .option('--as <name>', `who makes the change, for the log (ADMIN_USER; now ${host.user})`)
    .addHelpText('after', notes);
}

function describeOption(this: void, option: Option): string {
  const description = new Help().optionDescription(option);
  return option.mandatory ? `${description} (required)` : description;
}
