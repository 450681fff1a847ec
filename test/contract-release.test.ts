import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { lastRelease } from '../contract/released.ts';
import { ContractCopy } from './support/contract-copy.ts';

test.each([
  ['# Changelog\n\n## 0.1.0 (unreleased)\n', '0.0.0'],
  ['## Unreleased\n\n## 0.10.0 (2026-11-01)\n\n## 0.9.0\n', '0.10.0'],
  ['## 1.0.10 (unreleased)\n\n## 1.0.9\n', '1.0.9'],
])('the last release of %j is %s', (changelog, version) => {
  expect(lastRelease(changelog)).toBe(version);
});

describe('npm run contract:release', () => {
  let copy: ContractCopy;
  beforeEach(async () => {
    copy = await ContractCopy.create();
    await copy.replace('package.json', /"version": ".*"/, '"version": "9.8.0"');
    await copy.replace('openapi.json', /"version": ".*"/, '"version": "9.8.0"');
  });
  afterEach(() => copy[Symbol.asyncDispose]());

  const declare = (version: string) => copy.replace('CHANGELOG.md', '# Changelog\n', `# Changelog\n\n## ${version}\n`);

  test('makes what is described what was released, once the changelog says so', async () => {
    await copy.replace('schema.graphql', 'dialCode: String!', 'callingCode: String!');
    const change = 'GraphQL: EmbeddedCountry.dialCode was removed.';
    await copy.replace('contract/exceptions.json', '[]', JSON.stringify([{ change, reason: 'It was never right.' }]));
    await declare('9.8.0 (2030-01-01)');
    const early = await copy.run('check');
    expect(early).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the last release in CHANGELOG.md is 9.8.0'),
    });

    expect(await copy.run('release')).toEqual({ code: 0, stderr: '' });
    expect(await copy.read('contract/released/schema.graphql')).toBe(await copy.read('schema.graphql'));
    expect(await copy.read('contract/exceptions.json')).toBe('[]\n');
    expect(await copy.run('check')).toEqual({ code: 0, stderr: '' });
  });

  test.each([
    ['the changelog does not know it', '9.7.0', 'CHANGELOG.md does not say that 9.8.0 is released'],
    ['it is marked as unreleased', '9.8.0 (unreleased)', 'CHANGELOG.md does not say that 9.8.0 is released'],
  ])('refuses a version where %s', async (_name, heading, told) => {
    const before = await copy.read('contract/released/release.json');
    await declare(heading);
    expect(await copy.run('release')).toMatchObject({ code: 1, stderr: expect.stringContaining(told) });
    expect(await copy.read('contract/released/release.json')).toBe(before);
  });

  test('refuses a version that is released already, and a description of another', async () => {
    await declare('9.8.0');
    await copy.run('release');
    await copy.replace('schema.graphql', 'dialCode: String!', 'callingCode: String!');
    const again = await copy.run('release');
    expect(again).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('9.8.0 is released, and stays what it was'),
    });

    await copy.replace('package.json', '9.8.0', '9.9.0');
    await declare('9.9.0');
    expect(await copy.run('release')).toMatchObject({ code: 1, stderr: expect.stringContaining('npm run generate') });
    expect(await copy.read('contract/released/schema.graphql')).toContain('dialCode: String!');
  });
});
