import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isServing, runAdmin, spawnService, startService } from '../support/process.ts';
import { copyTemplate, use, useFolder } from '../support/test-app.ts';

const dataDir = use(await copyTemplate()).env.DATA_DIR as string;

test('a second process and the admin command fail with the pid of the first, which serves on', async () => {
  const first = await startService({ DATA_DIR: dataDir });
  await using second = await spawnService({ DATA_DIR: dataDir });
  expect(await second.exited).toBe(1);
  expectRefusal(second.stderr, first.pid);
  const refused = await runAdmin({ DATA_DIR: dataDir }, 'token', 'list');
  expect(refused.code).toBe(1);
  expectRefusal(refused.stderr, first.pid);
  expect(await lockHolder()).toBe(first.pid);
  expect((await first.client.rest('GET', '/services')).status).toBe(200);
  await first.end('SIGTERM');
  expect(await runAdmin({ DATA_DIR: dataDir }, 'token', 'list')).toMatchObject({ code: 0, stderr: '' });
});

test('a folder that cannot be used is named', async () => {
  const folder = await useFolder();
  await mkdir(join(folder, 'lock.sqlite'));
  const { code, stderr } = await runAdmin({ DATA_DIR: folder }, 'token', 'list');
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(`${folder} cannot be used: `) });
});

test('of four processes that start at once after one was killed, one serves, with its data and token', async () => {
  const killed = await startService({ DATA_DIR: dataDir });
  const readToken = async () => (await readFile(join(dataDir, 'demo-token'), 'utf8')).trim();
  const token = await readToken();
  await killed.end('SIGKILL');
  expect(await lockHolder()).toBe(killed.pid);

  await using stack = new AsyncDisposableStack();
  const services = await Promise.all(
    Array.from({ length: 4 }, async () => stack.use(await spawnService({ DATA_DIR: dataDir }))),
  );
  const serving = await Promise.all(services.map(isServing));
  expect(serving.filter(Boolean)).toHaveLength(1);
  const winner = services[serving.indexOf(true)] as (typeof services)[number];
  expect(await lockHolder()).toBe(winner.pid);
  for (const service of services.filter((each) => each !== winner)) {
    expect(await service.exited).toBe(1);
    expectRefusal(service.stderr, winner.pid);
  }
  expect(await readToken()).toBe(token);
  const { status } = await winner.client.graphql('{ partner { name } }', {}, { token });
  expect(status).toBe(200);
});

async function lockHolder(): Promise<number> {
  return Number(await readFile(join(dataDir, 'lock'), 'utf8'));
}

function expectRefusal(stderr: string, pid: number): void {
  expect(stderr).toMatch(new RegExp(`\\bprocess ${pid}\\b`));
  expect(stderr).toContain(dataDir);
  expect(stderr).not.toMatch(/^\s+at /m);
}
