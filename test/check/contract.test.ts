import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../support/documents.ts';
import { Process } from '../support/process.ts';
import { useFolder } from '../support/test-app.ts';

const folder = await useFolder();
for (const file of ['schema.graphql', 'openapi.yaml', 'tools/contract/released.json']) {
  await cp(join(root, file), join(folder, file));
}

async function run(...options: '--release'[]) {
  await using child = new Process('tools/contract/compare.ts', [...options, folder], {});
  return { code: await child.exited, stderr: child.stderr };
}

async function replace(file: string, was: string, is: string): Promise<void> {
  const before = await readFile(join(folder, file), 'utf8');
  expect(before).toContain(was);
  await writeFile(join(folder, file), before.replace(was, is));
}

test('accepts changed texts and examples, new enum values and optional arguments', async () => {
  await replace('openapi.yaml', 'summary: List the countries', 'summary: All countries');
  await replace('openapi.yaml', 'example: 682', 'example: 48');
  await replace('schema.graphql', 'cities(', 'cities(\nlimit: Int first: Int! = 3');
  await replace('schema.graphql', 'enum LookupKey {', 'enum LookupKey { A_NEW_ONE');
  expect(await run()).toEqual({ code: 0, stderr: '' });
});

test('rejects breaking changes by path, until they are released', async () => {
  expect(await run()).toEqual({ code: 0, stderr: '' });
  const changes = [
    ['schema.graphql', 'dialCode: String!', 'callingCode: String!', 'EmbeddedCountry.dialCode was removed'],
    ['openapi.yaml', 'operationId: listCities', 'operationId: cities', 'paths > /cities > get > operationId'],
    ['openapi.yaml', '  /timezones:', '  /zones:', 'paths > /timezones'],
    ['openapi.yaml', '        title: { type: string', '        title: { type: integer', 'properties > title > type'],
    ['openapi.yaml', 'required: [id, name_en, name_ar, name]', 'required: [id]', 'Country > required > name_en'],
    ['openapi.yaml', '- name: country_id', '- name: country', 'get > parameters > country_id'],
    ['openapi.yaml', 'maxItems: 10000', 'maxItems: 1000', 'item_ids > maxItems'],
  ] as const;
  for (const [file, was, is] of changes) await replace(file, was, is);
  const { code, stderr } = await run();
  expect(code).toBe(1);
  for (const [, , , path] of changes) expect(stderr).toContain(path);
  expect(await run('--release')).toEqual({ code: 0, stderr: '' });
  expect(await run()).toEqual({ code: 0, stderr: '' });
});
