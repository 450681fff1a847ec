import { execSync } from 'node:child_process';
import { join } from 'node:path';
import { makeFolder, root } from './make-folder.ts';

// Installs the packages of folders that have their own package.json, unless they are installed already.
for (const folder of process.argv.slice(2)) {
  await makeFolder(`${folder}/node_modules`, [`${folder}/package-lock.json`], async () => {
    console.error(`Installing the packages of ${folder}`);
    execSync('npm ci --no-audit --no-fund --loglevel=error', { cwd: join(root, folder) });
  });
}
