import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { copyTemplate } from '../support/app.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

test('the commands that the README shows do what it says', async () => {
  const database = await copyTemplate();
  const folder = await mkdtemp(join(tmpdir(), 'readme-'));
  onTestFinished(async () => {
    await database.drop();
    await rm(folder, { recursive: true });
  });
  const readme = await readFile(join(root, 'README.md'), 'utf8');
  const [, script = ''] = /### Admin command\n.*?```sh\n(.*?)```/s.exec(readme) ?? [];
  expect(script.split('npm run -s admin --').length).toBeGreaterThan(8);
  // What npm would build was built before.
  const commands = script.replaceAll(
    'npm run -s admin --',
    `'${process.execPath}' '${join(root, 'dist/src/admin.js')}'`,
  );
  const env = { PATH: process.env.PATH, ...database.env };
  const { stdout, stderr } = await promisify(execFile)('sh', ['-euc', commands], { cwd: folder, env });
  expect(stderr).toBe('');
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
