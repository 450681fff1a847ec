import { hostname, userInfo } from 'node:os';
import { getSystemErrorMessage, inspect } from 'node:util';
import { CommanderError } from '@commander-js/extra-typings';
import { isDatabaseUnavailable, UnknownOutcomeError } from '../kernel/errors/database-errors.ts';
import { OperatorError } from '../kernel/errors/operator-error.ts';
import { connect } from '../platform/database/connect.ts';
import { ensureMigrated } from '../platform/database/migrate.ts';
import { createLog } from '../platform/observability/log.ts';
import type { Host, Streams } from '../surfaces/admin/commands.ts';
import { createProgram } from '../surfaces/admin/program.ts';
import { envToConfig, readEnv } from './config.ts';

const errorExitCode = 1;
const usageExitCode = 2;

interface Context {
  env?: Parameters<typeof envToConfig>[0];
  streams?: Streams;
}

export async function runAdmin(args: string[], { env = readEnv(), streams = process }: Context = {}): Promise<number> {
  const host: Host = {
    streams,
    user: env.ADMIN_USER ?? getUserName(),
    open: (command, options) => openDatabase(env, command, options),
  };
  const program = createProgram(host);
  try {
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has already printed the error or the help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : usageExitCode;
    streams.stderr.write(`${formatError(error)}\n`);
    return errorExitCode;
  }
}

async function openDatabase(
  env: Parameters<typeof envToConfig>[0],
  command: string,
  { migrated = true }: { migrated?: boolean } = {},
): ReturnType<Host['open']> {
  const { db, close } = await connect(envToConfig(env), createLog('silent'), {
    forRequests: false,
    // PostgreSQL truncates names to 63 bytes.
    applicationName: `${command} ${process.pid}@${hostname()}`,
  });
  try {
    if (migrated) await ensureMigrated(db);
    return { db, close };
  } catch (error) {
    await close();
    throw error;
  }
}

// `userInfo` throws for a user id without an entry in /etc/passwd, as in some containers.
function getUserName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.());
  }
}

function formatError(error: unknown): string {
  if (error instanceof OperatorError) return error.message;
  const { message, errno, path, severity, detail } = error as NodeJS.ErrnoException & {
    severity?: string;
    detail?: string;
  };
  if (error instanceof UnknownOutcomeError) {
    return (
      `The database connection was lost during the commit (${message}), so the change may have been made. ` +
      'Check before you run the command again.'
    );
  }
  if (isDatabaseUnavailable(error)) return `The database is unavailable: ${message}. No changes were made.`;
  if (severity !== undefined)
    return `The database rejected the command: ${message}.${detail ? ` ${detail}` : ''} No changes were made.`;
  if (errno !== undefined) return `The file ${path} cannot be used: ${getSystemErrorMessage(errno)}.`;
  return `Internal error. No changes were made. ${inspect(error)}`;
}
