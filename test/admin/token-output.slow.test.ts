import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { root } from '../support/documents.ts';
import { adminOf } from '../support/process.ts';
import { createTenant } from '../support/tenant.ts';
import { copyTemplate, openDatabase, use } from '../support/test-app.ts';

const database = use(await copyTemplate());
const { db } = use(await openDatabase(database.env));
const { list } = adminOf(database.env);

/** Runs a command whose output goes to a full disk, or to a pipe that nobody reads. */
async function runUnheard(output: 'full' | 'closed', ...args: string[]) {
  const child = spawn(process.execPath, ['dist/src/admin.js', ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, ...database.env },
    stdio: ['ignore', output === 'full' ? openSync('/dev/full', 'w') : 'pipe', 'pipe'],
  });
  child.stdout?.destroy();
  const [stderr, [code]] = await Promise.all([text(child.stderr as Readable), once(child, 'exit')]);
  return { code, stderr };
}

test.each(['full', 'closed'] as const)('a token that could not be printed is revoked (%s)', async (output) => {
  const { partnerName } = await createTenant(db);
  const tokens = async () =>
    (await list('token', 'list')).filter(({ partner }: { partner: string }) => partner === partnerName);
  const [old] = await tokens();
  for (const json of [[], ['--json']]) {
    const issued = await runUnheard(output, 'token', 'issue', '--partner', partnerName, ...json);
    expect(issued).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^The output could not be written \(.*\)\. Token \d+ is revoked\.\n$/),
    });
  }
  const rotated = await runUnheard(output, 'token', 'rotate', String(old.id));
  expect(rotated).toEqual({
    code: 1,
    stderr: expect.stringMatching(/ Token \d+ is revoked, and token \d+ expires when it would have\.\n$/),
  });
  const [first, ...others] = await tokens();
  expect(first).toEqual(old);
  expect(others.map(({ state }: { state: string }) => state)).toEqual(['revoked', 'revoked', 'revoked']);
  const [entry] = await list('log', '--limit', '1');
  expect(entry).toMatchObject({ command: 'token rotate', details: { result: { undone: expect.any(String) } } });
});
