import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { demoPartner } from '../../src/domain/reference/seed/demo-data.ts';
import { version } from '../../src/kernel/package.ts';
import { expectRefusal, expectWrongUsage, runAdmin, spawnAdmin } from '../support/process.ts';

// This database cannot be opened, so any other error shows that the command did not try.
const nowhere = { DATA_DIR: '/dev/null/none' };

describe('wrong usage is exit code 2, and opens no database', () => {
  test.each([
    [['migrat'], /'migrat'\n\(Did you mean migrate\?\)/],
    [['seed', 'demo'], /too many arguments/],
    [['token', 'issue'], /--partner/],
    [['token', 'issue', '--partner', demoPartner, '--days', '0'], /--days .* from 1 to 99999\./],
    [['token', 'revoke', 'all'], /'all' .* whole number/],
    [['company', 'create', '--name-en', ' ', '--name-ar', 'شركة', '--city', 'saruh'], /--name-en .* visible/],
    [['company', 'create', '--name-en', 'Palm', '--name-ar', 'ش'.repeat(256), '--city', 'saruh'], /--name-ar .* 255/],
    [['partner', 'create', '--name', 'Palm', '--company', '2147483648'], /--company .* 2147483647/],
    [['item', 'import', '--company', '1'], /'file'/],
    [['item', 'import', '-', '--mistakes', '-'], /--mistakes .* standard output/],
    [['item', 'import', '-', '--previous', 'before.csv'], /--previous needs --update or --retire/],
    [['item', 'import', '-', '--update', '--previous', '-'], /--previous .* standard output/],
    [['token', 'import', '-', '--update', '--previous', 'before.csv'], /unknown option '--previous'/],
    [['export', '-'], /'folder'.* standard output/],
    [['reference', 'export', '-'], /'folder'.* standard output/],
    [['seed', '--update', 'planets'], /countries, cities/],
    [['company', 'update', '1'], /--name-en, --name-ar, --city or --address/],
    [['branch', 'update', '4', '--company', '1'], /--city, --address or --services/],
  ])('%j', async (args, says) => {
    expectWrongUsage(await runAdmin(nowhere, ...args), says);
  });

  test.each([[[]], [['token']], [['item']]])('%j prints the help', async (args) => {
    const run = await runAdmin(nowhere, ...args);
    expect(run).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/^Usage: .* \[command\]$/m) });
  });
});

test('an invalid environment variable is rejected by name', async () => {
  expectRefusal(await runAdmin({ DATABASE_URL: 'mysql://db.example/gateway' }, 'migrate'), /^DATABASE_URL must be /);
});

test('--version prints that of the package', async () => {
  expect(await runAdmin(nowhere, '--version')).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' });
});

test.skipIf(process.platform !== 'linux')('output that cannot be written is reported in a sentence', async () => {
  const command = '"$0" dist/src/admin.js --version >/dev/full';
  const run = promisify(execFile)('sh', ['-c', command, process.execPath]);
  await expect(run).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^The output could not be written: [^\n]*\n$/),
  });
});

describe('--help', () => {
  async function listCommands(...words: string[]): Promise<[command: string, help: string][]> {
    const { code, stdout, stderr } = await runAdmin(nowhere, ...words, '--help');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const list = stdout.split('\nCommands:\n')[1]?.split('\n\n')[0];
    if (list === undefined) return [[words.join(' '), stdout]];
    const names = [...list.matchAll(/^ {2}(\w+)/gm)].flatMap(([, name = '']) => (name === 'help' ? [] : [name]));
    return (await Promise.all(names.map((name) => listCommands(...words, name)))).flat();
  }

  test('of every command shows an example and --json', async () => {
    const commands = await listCommands();
    expect(commands.length).toBeGreaterThan(30);
    for (const [command, help] of commands) {
      expect(help).toMatch(new RegExp(`^Usage: node \\S+ ${command} `));
      expect(help).toMatch(new RegExp(`^Examples:\n  node \\S+ ${command}`, 'm'));
      expect(help).toContain('--json');
    }
  });

  test('marks required options', async () => {
    const { stdout } = await runAdmin(nowhere, 'branch', 'create', '--help');
    const required = [...stdout.matchAll(/^ {2}(--[\w-]+) .*\(required\)$/gm)].map(([, name]) => name);
    expect(required).toEqual(['--company', '--name-en', '--name-ar', '--city']);
    expect(stdout).toMatch(/^ {2}--address <line> +street and building$/m);
  });

  test('names the exit codes', async () => {
    const { stdout } = await runAdmin(nowhere, '--help');
    expect(stdout).toMatch(/0 done.*1 rejected.*2 wrong usage.*130 interrupted/);
  });

  test('names itself as the operator called it', async () => {
    for (const [name, env] of [
      ['npm run -s admin --', { npm_lifecycle_event: 'admin' }],
      ['node dist/src/admin.js', {}],
    ] as const) {
      const run = spawnAdmin({ ...nowhere, ...env }, ['token', 'issue', '--help']);
      expect(await run.exited).toBe(0);
      expect(run.stdout).toContain(`Usage: ${name} token issue `);
      expect(run.stdout).toContain(`  ${name} token issue --partner 'Demo Partner'\n`);
    }
  });
});
