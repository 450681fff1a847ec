import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Process } from '../support/process.ts';

const root = new URL('../..', import.meta.url).pathname;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'partner-gateway-contract-'));
  for (const file of ['schema.graphql', 'openapi.yaml', 'contract/released.json']) {
    await cp(join(root, file), join(folder, file));
  }
});
afterEach(() => rm(folder, { recursive: true }));

async function run(...options: '--release'[]) {
  await using child = new Process('contract/check.ts', [...options, folder], {});
  return { code: await child.exited, stderr: child.stderr };
}

async function replace(file: string, was: string, is: string): Promise<void> {
  const before = await readFile(join(folder, file), 'utf8');
  expect(before).toContain(was);
  await writeFile(join(folder, file), before.replace(was, is));
}

test.each([
  ['schema.graphql', 'dialCode: String!', 'callingCode: String!', 'EmbeddedCountry.dialCode was removed'],
  ['openapi.yaml', 'operationId: listCities', 'operationId: cities', 'paths > /cities > get > operationId'],
  ['openapi.yaml', '  /cities:', '  /towns:', 'paths > /cities'],
  ['openapi.yaml', '        title: { type: string', '        title: { type: integer', 'properties > title > type'],
  ['openapi.yaml', 'required: [id, name_en, name_ar, name]', 'required: [id]', 'Country > required > 1'],
  ['openapi.yaml', 'maxItems: 10000', 'maxItems: 1000', 'item_ids > maxItems'],
])('a breaking change of %s fails: %s to %s', async (file, was, is, told) => {
  await replace(file, was, is);
  expect(await run()).toEqual({ code: 1, stderr: expect.stringContaining(told) });
});

test('a released change is no breaking change, and the contract is that of the last release', async () => {
  expect(await run()).toEqual({ code: 0, stderr: '' });
  await replace('schema.graphql', 'dialCode: String!', 'callingCode: String!');
  await replace('openapi.yaml', '  /cities:', '  /towns:');
  expect(await run('--release')).toEqual({ code: 0, stderr: '' });
  expect(await run()).toEqual({ code: 0, stderr: '' });
});

test('texts, examples and new optional arguments are no change', async () => {
  await replace('openapi.yaml', 'summary: List the countries', 'summary: All countries');
  await replace('openapi.yaml', 'example: 682', 'example: 48');
  await replace('schema.graphql', 'cities(', 'cities(\nlimit: Int');
  expect(await run()).toEqual({ code: 0, stderr: '' });
});
