import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { filesOf, makeFolder, root } from './make-folder.ts';

// Makes what the pages load, of browser/ and the packages it uses.
await makeFolder('dist/browser', ['package-lock.json', 'browser', 'scripts/browser.ts'], async () => {
  const { build } = await import('vite');
  await build({ configFile: join(root, 'browser/vite.config.ts') });
  await Promise.all((await filesOf('dist/browser/assets')).map(compress));
});

// Once, for all who will ask.
async function compress(path: string): Promise<void> {
  const file = join(root, path);
  const bytes = await readFile(file);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 8 };
  await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes, { params }));
  await writeFile(`${file}.gz`, await promisify(gzip)(bytes));
}
