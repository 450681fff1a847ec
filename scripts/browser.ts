import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, root } from './make-folder.ts';

/** The files that pages load, by their names in dist/browser: our own, and two packages as published. */
const files = {
  '': 'browser',
  altair: 'node_modules/altair-static/build/dist',
  'swagger-ui.css': 'node_modules/swagger-ui-dist/swagger-ui.css',
  'swagger-ui.js': 'node_modules/swagger-ui-dist/swagger-ui-bundle.js',
};

await makeFolder('dist/browser', ['package-lock.json', 'browser', 'scripts/browser.ts'], async () => {
  const folder = join(root, 'dist/browser');
  await rm(folder, { recursive: true, force: true });
  for (const [name, source] of Object.entries(files)) {
    await cp(join(root, source), join(folder, name), { recursive: true });
  }
});
