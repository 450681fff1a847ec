import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { version } from '../../kernel/package.ts';
import { Admin, type Host } from './commands.ts';
import { addDatabaseCommands } from './database-commands.ts';
import { addFileCommands } from './file-commands.ts';
import { addPartnerCommands } from './partner-commands.ts';

const notes = `
The database is DATABASE_URL or, if that is unset, the embedded database in DATA_DIR. Exit codes: 0 done; 1 failed
without changes, unless the message says that the change may have been made; 2 wrong usage.`;

/** The caller, not Commander, ends the process. */
export function createProgram(host: Host): CommandUnknownOpts {
  const { stdout, stderr } = host.streams;
  const program = new Command('admin')
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: (text) => stdout.write(text), writeErr: (text) => stderr.write(text) });
  const admin = new Admin(host, program);
  addDatabaseCommands(admin);
  addPartnerCommands(admin);
  addFileCommands(admin);
  return program
    .description('Administers the database of the partner gateway.')
    .version(version, '--version', 'show the version')
    .option('--json', 'print JSON')
    .option('--as <name>', `who makes the change, for the log (ADMIN_USER; now ${host.user})`)
    .addHelpText('after', notes);
}
