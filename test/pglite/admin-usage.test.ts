import { describe, expect, test } from 'vitest';
import { demoPartner } from '../../src/seed/demo-data.ts';
import { expectRefusal, runAdmin } from '../support/process.ts';

describe('wrong usage prints the usage and opens no database', () => {
  test.each([
    [[]],
    [['migrat']],
    [['migrate', 'down']],
    [['seed', 'demo']],
    [['seed', '--demoo']],
    [['token']],
    [['token', 'issue']],
    [['token', 'issue', '--partner']],
    [['token', 'issue', '--partner', demoPartner, '--days', '0']],
    [['token', 'issue', demoPartner]],
    [['token', 'revoke']],
    [['token', 'revoke', 'all']],
    [['token', 'list', 'live']],
  ])('%j', async (args) => {
    expectRefusal(await runAdmin({ DATA_DIR: '/dev/null/none' }, ...args), /^Usage: npm run -s admin -- COMMAND$/m);
  });
});

test('a bad environment is refused by the name of the variable', async () => {
  expectRefusal(await runAdmin({ DATABASE_URL: 'mysql://db.example/gateway' }, 'migrate'), /DATABASE_URL:/);
});

test('--help prints the usage, which is no mistake', async () => {
  const run = await runAdmin({ DATA_DIR: '/dev/null/none' }, '--help');
  expect(run).toMatchObject({
    code: 0,
    stderr: '',
    stdout: expect.stringMatching(/^Usage: npm run -s admin -- COMMAND$/m),
  });
});
