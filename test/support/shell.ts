import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { root } from './documents.ts';
import { type ProcessEnv, withoutNotes } from './process.ts';
import { findProgram } from './programs.ts';

/** Runs a document's commands in a folder; resolves to their output. Fails at the first command that fails. */
export async function runCommands(commands: string, folder: string, env: ProcessEnv): Promise<string> {
  // Calls the program directly, because it is already built.
  const admin = `'${process.execPath}' '${join(root, 'dist/src/admin.js')}'`;
  const built = commands.replaceAll('npm run -s admin --', admin);
  const programs = findProgram('pg_dump');
  const { stdout, stderr } = await promisify(execFile)('bash', ['--norc', '-euo', 'pipefail', '-c', built], {
    cwd: folder,
    env: { PATH: [programs && dirname(programs), process.env.PATH, '/usr/sbin'].join(':'), ...env },
  });
  if (withoutNotes(stderr) !== '') throw new Error(stderr);
  return stdout;
}
