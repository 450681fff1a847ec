import { cp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../support/documents.ts';
import { Process } from '../support/process.ts';
import { useFolder } from '../support/test-app.ts';

const folder = await useFolder();
for (const name of ['dist', 'package.json']) await cp(join(root, name), join(folder, name), { recursive: true });
await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
const documents = join(folder, 'dist/src/surfaces/rest/documents.generated.js');

async function run(name: string) {
  await using child = new Process(relative(root, join(folder, 'dist/tools/codegen', name)), [], {});
  return { code: await child.exited, stderr: child.stderr };
}

test('the schema is generated without the REST documents, which depend on it', async () => {
  await rm(documents);
  expect(await run('schema.js')).toMatchObject({ code: 0 });
  expect(await readFile(join(folder, 'schema.graphql'), 'utf8')).toBe(
    await readFile(join(root, 'schema.graphql'), 'utf8'),
  );
});

test('a missing REST document is named', async () => {
  const text = await readFile(join(root, 'dist/src/surfaces/rest/documents.generated.js'), 'utf8');
  await writeFile(documents, text.replaceAll('V1CitiesDocument', 'V1TownsDocument'));
  const { code, stderr } = await run('generate.js');
  expect(code).toBe(1);
  expect(stderr).toContain("does not provide an export named 'V1CitiesDocument'");
});
