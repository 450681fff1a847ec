import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { root } from '../support/documents.ts';

const files = ['test/admin/ids.slow.test.ts', 'test/contract/cities.test.ts', 'test/check/values.test.ts'];
const both = ['test/contract/lists.both.test.ts'];

test.each([
  [files, ['check', 'full', 'postgres', 'slow']],
  [both, ['pglite', 'postgres']],
  [[], ['postgres']],
])('npm test with the files %j runs the projects %j', async (named, projects) => {
  expect(packageJson.scripts.test).toBe('vitest run');
  const vitest = ['node_modules/vitest/vitest.mjs', 'list', '--filesOnly', ...named];
  const { stdout } = await promisify(execFile)(process.execPath, vitest, { cwd: root });
  expect([...new Set(stdout.match(/(?<=^\[)\w+/gm))].toSorted()).toEqual(projects);
});
