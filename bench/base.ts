import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { root } from './databases.ts';

const run = promisify(execFile);

/** The folder of a build to compare with: a built checkout, or a commit, which is cloned and built once in bench/bases. */
export async function prepareBase(base: string): Promise<string> {
  const checkout = resolve(process.env.INIT_CWD ?? '.', base);
  if (existsSync(join(checkout, 'package.json'))) return checkout;
  const commit = await resolveCommit(base);
  const folder = join(root, 'bench/bases', commit);
  if (existsSync(folder)) return folder;
  // Renamed once it is whole, so that an interrupted build is made again.
  const unfinished = `${folder}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await run('git', ['clone', '--quiet', '--no-checkout', root, unfinished]);
  const inFolder = { cwd: unfinished };
  await run('git', ['checkout', '--quiet', commit], inFolder);
  await run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], inFolder);
  await run('npm', ['run', '--silent', 'build'], inFolder);
  await rename(unfinished, folder);
  return folder;
}

async function resolveCommit(name: string): Promise<string> {
  const options = ['rev-parse', '--verify', '--quiet', `${name}^{commit}`];
  const { stdout } = await run('git', options, { cwd: root }).catch(() => {
    throw new Error(`--base ${name} is neither a checkout nor a commit`);
  });
  return stdout.trim();
}
