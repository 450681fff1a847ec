import { exec } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeFolder, root } from './build/make-folder.ts';

/** Installs the packages of a folder with its own package.json, unless they are up to date. */
export function install(folder: string): Promise<void> {
  return makeFolder(`${folder}/node_modules`, [`${folder}/package-lock.json`], async () => {
    console.error(`Installing the packages of ${folder}`);
    await promisify(exec)('npm ci --no-audit --no-fund --loglevel=error', { cwd: join(root, folder) });
  });
}

if (import.meta.main) await Promise.all(process.argv.slice(2).map(install));
