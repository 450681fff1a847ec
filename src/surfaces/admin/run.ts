import { CommanderError } from '@commander-js/extra-typings';
import { envToConfig, readEnv } from '../../app/config.ts';
import { connect } from '../../platform/database/connect.ts';
import { ensureMigrated } from '../../platform/database/migrate.ts';
import { createLog } from '../../platform/observability/log.ts';
import type { Admin } from './admin.ts';
import { sentenceOf } from './failure.ts';
import { type Interruption, onInterruption } from './interruption.ts';
import { createProgram } from './program.ts';
import { Terminal } from './terminal.ts';

/** Exit codes, as the help says. */
const refused = 1;
const wrongUsage = 2;

/** Runs the admin command that the arguments name; resolves to its exit code. */
export async function runAdmin(args: string[]): Promise<number> {
  const terminal = new Terminal(process);
  const interruption = onInterruption(() => terminal.erase());
  try {
    await createProgram(createAdmin(terminal, interruption)).parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    // It has said what is wrong, or printed the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : wrongUsage;
    if (interruption.signal.aborted) {
      terminal.complain('Interrupted: nothing was changed.');
      return interruption.exitCode();
    }
    terminal.complain(sentenceOf(error));
    return refused;
  } finally {
    interruption.end();
  }
}

function createAdmin(terminal: Terminal, { signal }: Interruption): Admin {
  return {
    terminal,
    signal,
    async withDatabase(work, { migrated = true } = {}) {
      // What goes wrong here is said once, by the command itself.
      const { db, close } = await connect(envToConfig(readEnv()), createLog('silent'), { timeouts: false });
      try {
        if (migrated) await ensureMigrated(db);
        return await work(db);
      } finally {
        await close();
      }
    },
  };
}
