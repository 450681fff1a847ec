import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isServing, runAdmin, spawnAdmin, spawnService, startService } from '../support/process.ts';
import { copyTemplate, use, useFolder } from '../support/test-app.ts';

const [dataDir, other] = (await Promise.all([copyTemplate(), copyTemplate()])).map(
  (copy) => use(copy).env.DATA_DIR as string,
) as [string, string];

test('only one process opens the folder, also after it was killed; others fail with its pid', async () => {
  // What others have planted in the folders is replaced.
  const planted = join(await useFolder(), 'planted');
  await writeFile(planted, 'before');
  await symlink(planted, join(dataDir, 'demo-token.new'));
  await writeFile(join(other, 'demo-token.new'), '');
  await chmod(join(other, 'demo-token.new'), 0o777);
  const first = await startService({ DATA_DIR: dataDir });
  expect(await readFile(planted, 'utf8')).toBe('before');
  const readToken = async () => (await readFile(join(dataDir, 'demo-token'), 'utf8')).trim();
  const token = await readToken();
  const locked = await runAdmin({ DATA_DIR: dataDir }, 'token', 'list');
  expect(locked.code).toBe(1);
  expectLockError(locked.stderr, first.pid);
  expect(await lockHolder()).toBe(first.pid);
  expect((await first.client.rest('GET', '/services')).status).toBe(200);
  // A start that fails releases its folder.
  const unlucky = await spawnService({ DATA_DIR: other, HOST: '127.0.0.1', PORT: new URL(first.url).port });
  expect(await unlucky.exited).toBe(1);
  expect(existsSync(join(other, 'lock'))).toBe(false);
  expect((await stat(join(other, 'demo-token'))).mode & 0o777).toBe(0o600);
  await first.end('SIGKILL');
  expect(await lockHolder()).toBe(first.pid);

  await using stack = new AsyncDisposableStack();
  const services = await Promise.all(
    Array.from({ length: 3 }, async () => stack.use(await spawnService({ DATA_DIR: dataDir }))),
  );
  const serving = await Promise.all(services.map(isServing));
  expect(serving.filter(Boolean)).toHaveLength(1);
  const winner = services[serving.indexOf(true)] as (typeof services)[number];
  expect(await lockHolder()).toBe(winner.pid);
  for (const service of services.filter((each) => each !== winner)) {
    expect(await service.exited).toBe(1);
    expectLockError(service.stderr, winner.pid);
  }
  expect(await readToken()).toBe(token);
  const { status } = await winner.client.graphql('{ partner { name } }', {}, { token });
  expect(status).toBe(200);
});

test('an unusable folder is reported', async () => {
  const folder = await useFolder();
  await mkdir(join(folder, 'lock.sqlite'));
  const { code, stderr } = await runAdmin({ DATA_DIR: folder }, 'token', 'list');
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(`${folder} cannot be used: `) });
});

// In a process of its own, because Node's `mkdir` blocks the whole process there.
test.skipIf(process.platform !== 'linux').each([
  [{ DATA_DIR: '/proc/1/none/data' }, ['migrate']],
  [{ DATA_DIR: '/dev/null/data' }, ['migrate']],
])('a command fails if the folder cannot be created: %j %j', async (env, args) => {
  await using admin = spawnAdmin(env, args);
  await expect.poll(() => admin.running, { timeout: 60_000 }).toBe(false);
  expect(await admin.exited).toBe(1);
  expect(admin.stderr).toMatch(/^The (data folder|file) \/(proc|dev)\/\S+ cannot be used: /);
});

async function lockHolder(): Promise<number> {
  return Number(await readFile(join(dataDir, 'lock'), 'utf8'));
}

function expectLockError(stderr: string, pid: number): void {
  expect(stderr).toMatch(new RegExp(`\\bprocess ${pid}\\b`));
  expect(stderr).toContain(dataDir);
  expect(stderr).not.toMatch(/^\s+at /m);
}
