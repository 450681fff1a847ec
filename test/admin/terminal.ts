import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { root } from '../support/documents.ts';
import type { ProcessEnv } from '../support/process.ts';

/** Runs the admin command in a terminal (by `script`); resolves to its exit code and output. */
export async function runInTerminal(env: ProcessEnv, args: string[]): Promise<{ code: number | null; screen: string }> {
  const quoted = [process.execPath, join(root, 'dist/src/admin.js'), ...args].map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['-qec', quoted, '/dev/null'], {
    cwd: root,
    env: { PATH: process.env.PATH, SHELL: '/bin/sh', TERM: 'xterm', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [screen, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return { code, screen };
}
