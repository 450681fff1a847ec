import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ProcessEnv } from './process.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Runs the admin command in a terminal (that of `script`), typing `input`; resolves to its exit code and what it drew. */
export async function runInTerminal(
  env: ProcessEnv,
  args: string[],
  input = '',
): Promise<{ code: number | null; screen: string }> {
  const quoted = [process.execPath, join(root, 'dist/src/admin.js'), ...args].map((word) => `'${word}'`).join(' ');
  const child: ChildProcess = spawn('script', ['-qec', quoted, '/dev/null'], {
    cwd: root,
    env: { PATH: process.env.PATH, SHELL: '/bin/sh', TERM: 'xterm', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let screen = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    screen += text;
    if (input !== '' && /\[y\/N\] $/.test(screen)) child.stdin?.write(input);
  });
  const [code] = await once(child, 'close');
  return { code, screen };
}
