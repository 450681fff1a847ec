import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

// Makes what the pages load (browser/ and the packages it uses) into dist/browser, unless that is what is there already.
const root = fileURLToPath(new URL('..', import.meta.url));
const source = join(root, 'browser');
const target = join(root, 'dist/browser');
const stamp = join(target, 'made-of');

const made = await readFile(stamp, 'utf8').catch(() => undefined);
const wanted = await digest([join(root, 'package-lock.json'), ...(await filesOf(source))]);
if (made !== wanted) {
  // A development package: what has been made runs without it.
  const { build } = await import('vite');
  await build({ configFile: join(source, 'vite.config.ts') });
  await Promise.all((await filesOf(join(target, 'assets'))).map(compress));
  await writeFile(stamp, wanted);
}

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.flatMap((entry) => (entry.isFile() ? [join(folder, entry.name)] : [])).sort();
}

async function digest(files: string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file.slice(root.length)}\n`).update(await readFile(file));
  return hash.digest('hex');
}

// Once, for all who will ask.
async function compress(file: string): Promise<void> {
  const bytes = await readFile(file);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 8 };
  await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes, { params }));
  await writeFile(`${file}.gz`, await promisify(gzip)(bytes));
}
