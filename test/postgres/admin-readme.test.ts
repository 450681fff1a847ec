import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { copyTemplate } from '../support/app.ts';
import { readmeBlock } from '../support/readme.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

test('a database is made ready as the README says', async () => {
  await using database = await copyTemplate();
  const commands = await readmeBlock('Run it for real', 'sh');
  const parts = /^(export DATABASE_URL=)postgres:\S+\n(.*)\nnpm start\n$/s.exec(commands);
  const stdout = await run(`${parts?.[1]}'${database.env.DATABASE_URL}'\n${parts?.[2]}`, {});
  expect(stdout).toMatch(/^pp_[\w-]{43}$/m);
});

test('the commands that the README shows do what it says', async () => {
  await using database = await copyTemplate();
  const commands = await readmeBlock('Admin command', 'sh');
  expect(commands.split('npm run -s admin --').length).toBeGreaterThan(8);
  const stdout = await run(commands, database.env);
  for (const line of [
    /^applied\t20261121090000_reference_data\t/m,
    /^\d+\tsaruh\tSA\tRiyadh\tالرياض$/m,
    /^pp_[\w-]{43}$/m,
    /^Imported: 2 added, 0 changed, 0 unchanged\.$/m,
    /^Imported: 0 added, 1 changed, 1 unchanged\.$/m,
    /^,\{"id":3,"name":"Palm Partner","live_tokens":1,"company_id":3,/m,
  ]) {
    expect(stdout).toMatch(line);
  }
});

/** Runs commands in an empty folder; resolves to what they print. */
async function run(commands: string, env: NodeJS.ProcessEnv): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'readme-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  // What npm would build was built before.
  const admin = `'${process.execPath}' '${join(root, 'dist/src/admin.js')}'`;
  const built = commands.replaceAll('npm run -s admin --', admin);
  const { stdout, stderr } = await promisify(execFile)('sh', ['-euc', built], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
  });
  expect(stderr).toBe('');
  return stdout;
}
