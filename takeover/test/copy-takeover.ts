import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../../test/support/documents.ts';

/** Copies takeover/ to a folder, where its scripts call the built admin command. */
export async function copyTakeover(folder: string): Promise<void> {
  await cp(join(root, 'takeover'), join(folder, 'takeover'), { recursive: true });
  const admin = `'${process.execPath}' '${join(root, 'dist/src/admin.js')}'`;
  for (const script of ['changed-tags.sh', 'import.sh', 'compare-rows.sh']) {
    await edit(join(folder, 'takeover', script), 'npm run -s admin --', admin);
    await edit(join(folder, 'takeover', script), 'npx node', `'${process.execPath}'`);
  }
}

/** Replaces each occurrence of a text in a file. */
export async function edit(path: string, text: string, replacement: string): Promise<void> {
  await writeFile(
    path,
    (await readFile(path, 'utf8')).replaceAll(text, () => replacement),
  );
}
