import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { complaintsAbout } from '../contract/change.ts';
import { ContractCopy } from './support/contract-copy.ts';

describe('an exception', () => {
  const change = 'REST: Country.name_ar is gone';

  test('lets a change pass', () => {
    expect(complaintsAbout([change], [{ change, reason: 'Nobody reads it.' }])).toEqual([]);
  });

  test('is refused for no change, and without a reason', () => {
    expect(complaintsAbout([], [{ change, reason: ' ' }])).toEqual([
      expect.stringContaining('for no change'),
      expect.stringContaining('no reason'),
    ]);
  });
});

describe('npm run check:contract', () => {
  let copy: ContractCopy;
  beforeEach(async () => {
    copy = await ContractCopy.create();
  });
  afterEach(() => copy[Symbol.asyncDispose]());

  test('passes as it is', async () => {
    expect(await copy.run('check')).toEqual({ code: 0, stderr: '' });
  });

  test.each([
    ['schema.graphql', 'dialCode: String!', 'callingCode: String!', 'GraphQL: EmbeddedCountry.dialCode was removed.'],
    [
      'openapi.json',
      '"operationId": "listCities"',
      '"operationId": "cities"',
      'REST: GET /cities is no longer called listCities',
    ],
  ])(
    'refuses what breaks in %s, saying what and how to except it, until it is excepted',
    async (file, was, is, change) => {
      await copy.replace(file, was, is);
      const refused = await copy.run('check');
      expect(refused.code).toBe(1);
      expect(refused.stderr).toContain(change);
      expect(refused.stderr).toContain('contract/exceptions.json');

      await copy.replace('contract/exceptions.json', '[]', JSON.stringify([{ change, reason: 'It was never right.' }]));
      expect(await copy.run('check')).toEqual({ code: 0, stderr: '' });

      await copy.replace(file, is, was);
      expect(await copy.run('check')).toMatchObject({ code: 1, stderr: expect.stringContaining('for no change') });
    },
  );

  test('refuses released descriptions that are edited, whatever is described now', async () => {
    for (const folder of ['', 'contract/released/']) {
      await copy.replace(`${folder}schema.graphql`, 'dialCode: String!', 'callingCode: String!');
    }
    const { code, stderr } = await copy.run('check');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^contract\/released\/schema\.graphql is not what .* had/);
  });
});
