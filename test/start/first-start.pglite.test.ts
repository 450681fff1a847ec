import { execFile } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { chmod, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { envToConfig } from '../../src/app/config.ts';
import { createGateway } from '../../src/app/gateway.ts';
import { Client } from '../support/client.ts';
import { spawnService, startService } from '../support/process.ts';
import { useFolder } from '../support/test-app.ts';

const parent = await useFolder();

test('the first start creates the demo, a restart keeps it, and both signals stop the service', async () => {
  const dataDir = join(parent, 'first', 'data');
  const tokenFile = join(dataDir, 'demo-token');

  await using first = await startService({ DATA_DIR: dataDir });
  // The file is complete before the service listens.
  const token = (await readFile(tokenFile, 'utf8')).trim();
  await expect.poll(() => first.stderr).toMatch(/curl .*graphql.*\n/);
  const curls = first.stderr.match(/^\s*curl .*$/gm) ?? [];
  for (const url of first.stderr.match(/http:[^\s)]+/g) ?? []) expect((await fetch(url)).status, url).not.toBe(404);
  const welcome = first.stderr;
  for (const text of [`${first.url}/graphql`, `${first.url}/partner_portal/v1`, tokenFile]) {
    expect(welcome).toContain(text);
  }
  expect((await stat(tokenFile)).mode & 0o777).toBe(0o600);
  for (const folder of [dirname(dataDir), dataDir]) expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect(welcome).not.toContain(token);
  // Without HOST it listens on 127.0.0.1 alone.
  await expect(fetch(first.url.replace('127.0.0.1', '127.0.0.2'))).rejects.toThrow('fetch failed');
  const created = await first.client.rest('POST', '/product_tags', { token, body: { name_en: 'Kept over a restart' } });
  expect(created.status).toBe(201);

  const [rest, graphql] = await Promise.all(
    curls.map(async (curl) => JSON.parse((await promisify(execFile)('sh', ['-c', curl])).stdout)),
  );
  expect(rest.services).toHaveLength(4);
  expect(graphql.errors).toBeUndefined();
  expect(graphql.data.items.nodes.length).toBeGreaterThan(0);

  expect(await first.end('SIGTERM')).toBe(0);
  // Standard output is JSON only.
  for (const line of first.stdout.trim().split('\n')) JSON.parse(line);

  await using second = await startService({ DATA_DIR: dataDir });
  expect((await readFile(tokenFile, 'utf8')).trim()).toBe(token);
  const updated = await second.client.rest('PUT', `/product_tags/${created.body.id}`, {
    token,
    body: { name_en: 'Kept over a restart' },
  });
  expect({ status: updated.status, body: updated.body }).toEqual({ status: 200, body: created.body });
  process.kill(second.pid, 'SIGTERM');
  expect(await second.end('SIGINT')).toBe(0);
  expect(existsSync(join(dataDir, 'lock'))).toBe(false);
});

test('in production, the embedded database must be requested, has no demo partner, and survives interrupted first starts', async () => {
  const production = { NODE_ENV: 'production', DATA_DIR: join(parent, 'production') };
  await using unconfigured = await spawnService(production);
  expect(await unconfigured.exited).toBe(1);
  expect(unconfigured.stderr).toBe(
    'DATABASE_URL must be set, or EMBEDDED_DATABASE must be on to keep data in DATA_DIR.\n',
  );

  // Anyone may write to this folder, and has planted links in it.
  await mkdir(production.DATA_DIR, { recursive: true });
  await chmod(production.DATA_DIR, 0o777);
  const planted = ['lock', 'pglite.unfinished'];
  for (const name of planted) {
    await writeFile(join(parent, name), 'before');
    await symlink(join(parent, name), join(production.DATA_DIR, name));
  }

  const env = { ...production, EMBEDDED_DATABASE: 'on' };
  const file = join(env.DATA_DIR, 'pglite', 'PG_VERSION');
  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    const begin = Date.now();
    await using half = await spawnService(env);
    await expect.poll(() => statSync(file, { throwIfNoEntry: false })?.ctimeMs, { interval: 1 }).toBeGreaterThan(begin);
    await half.end(signal);
  }
  const service = createGateway(envToConfig({ ...env, PORT: '0', LOG_LEVEL: 'error' }));
  const { db, url } = await service.start();
  expect((await new Client(url).rest('GET', '/countries')).body.countries).toHaveLength(249);
  expect(await db.selectFrom('partners').selectAll().execute()).toEqual([]);
  await service.stop();
  expect(existsSync(join(env.DATA_DIR, 'demo-token'))).toBe(false);
  for (const name of planted) expect(await readFile(join(parent, name), 'utf8'), name).toBe('before');
});
