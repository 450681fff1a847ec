import { createHash } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

export const guidesFolder = 'docs/partners';

export const examplesIn = (markdown: string): string[] =>
  [...markdown.matchAll(/\((?:\.\.\/){2}(examples\/[^)]+)\)/g)].map(([, path = '']) => path);

/** Skips a folder made from the same sources, so that a start without development packages works. */
export async function makeFolder(folder: string, sources: string[], make: () => Promise<void>): Promise<void> {
  const stamp = join(root, folder, 'made-of');
  const made = await readFile(stamp, 'utf8').catch(() => undefined);
  const wanted = await digest(sources);
  if (made === wanted) return;
  await make();
  await writeFile(stamp, wanted);
}

async function digest(sources: string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const file of (await Promise.all(sources.map(listFiles))).flat()) {
    hash.update(`${file}\n`).update(await readFile(join(root, file)));
  }
  return hash.digest('hex');
}

async function listFiles(path: string): Promise<string[]> {
  if ((await stat(join(root, path))).isFile()) return [path];
  const entries = await readdir(join(root, path), { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return files.map((file) => relative(root, file)).sort();
}
