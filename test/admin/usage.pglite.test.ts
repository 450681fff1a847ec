import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { demoPartner } from '../../src/domain/reference/seed/demo-partners.ts';
import { version } from '../../src/kernel/package.ts';
import { expectFailure, runAdmin } from '../support/process.ts';

// This database cannot be opened, so any other error shows that the command did not try.
const nowhere = { DATA_DIR: '/dev/null/none' };

describe('usage errors exit with code 2, without opening a database', () => {
  test.each([
    [['migrat'], /'migrat'\n\(Did you mean migrate\?\)/],
    [['seed', 'demo'], /too many arguments/],
    [['token', 'issue'], /--partner/],
    [['token', 'issue', '--partner', demoPartner, '--days', '0'], /--days .* from 1 to 99999\./],
    [['token', 'revoke', 'all'], /'all' .* whole number/],
    [['company', 'create', '--name-en', ' ', '--name-ar', 'شركة', '--city', 'saruh'], /--name-en .* visible/],
    [['company', 'create', '--name-en', 'Palm', '--name-ar', 'ش'.repeat(256), '--city', 'saruh'], /--name-ar .* 255/],
    [['partner', 'create', '--name', 'Palm', '--company', '2147483648'], /--company .* 2147483647/],
    [['import', 'items', '--company', '1'], /'file'/],
    [['import', 'dishes', 'x.csv'], /items, tags/],
    [['import', 'items', 'x.csv', '--delete-missing', 'all'], /--delete-missing .* whole number/],
    [['seed', '--update', 'planets'], /countries, cities/],
    [['company', 'update', '1'], /give at least one option/],
  ])('%j', async (args, says) => {
    const run = await runAdmin(nowhere, ...args);
    expect(run).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(says) });
  });

  test.each([[[]], [['token']]])('%j prints the help', async (args) => {
    const run = await runAdmin(nowhere, ...args);
    expect(run).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/^Usage: .* \[command\]$/m) });
  });
});

test('an invalid environment variable is rejected by name', async () => {
  expectFailure(await runAdmin({ DATABASE_URL: 'mysql://db.example/gateway' }, 'migrate'), /^DATABASE_URL must be /);
});

test('--version prints the package version', async () => {
  expect(await runAdmin(nowhere, '--version')).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' });
});

test.skipIf(process.platform !== 'linux')('reports output that cannot be written', async () => {
  const command = '"$0" dist/src/admin.js --version >/dev/full';
  const run = promisify(execFile)('sh', ['-c', command, process.execPath]);
  await expect(run).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^Cannot write the output: [^\n]*\n$/),
  });
});

test('--help lists the commands and the exit codes', async () => {
  const { stdout } = await runAdmin(nowhere, '--help');
  for (const command of ['migrate', 'seed', 'log', 'company', 'partner', 'token', 'export', 'import'])
    expect(stdout).toMatch(new RegExp(`^  ${command} `, 'm'));
  expect(stdout).toMatch(/0 done; 1 failed/);
});
