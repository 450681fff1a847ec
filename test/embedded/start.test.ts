import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { cp, readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, inject, test } from 'vitest';
import { useFolder } from '../support/app.ts';
import { Client } from '../support/client.ts';
import { freePort } from '../support/free-port.ts';
import { printed, spawnService, startService } from '../support/process.ts';

const parent = await useFolder();

test('the first start in an empty folder, a restart and both ends', async () => {
  const dataDir = join(parent, 'first', 'data');
  const tokenFile = join(dataDir, 'demo-token');

  await using first = await startService({ DATA_DIR: dataDir });
  await printed(first, /curl .*graphql.*\n/);
  const curls = first.stdout.match(/^\s*curl .*$/gm) ?? [];
  for (const url of first.stdout.match(/http:[^\s)]+/g) ?? []) expect((await fetch(url)).status, url).not.toBe(404);
  const welcome = first.stdout;
  for (const text of [`${first.url}/graphql`, `${first.url}/partner_portal/v1`, tokenFile]) {
    expect(welcome).toContain(text);
  }
  expect((await stat(tokenFile)).mode & 0o777).toBe(0o600);
  expect((await stat(dataDir)).mode & 0o077).toBe(0);
  const token = (await readFile(tokenFile, 'utf8')).trim();
  expect(welcome).not.toContain(token);
  // Without HOST it listens on 127.0.0.1 alone.
  await expect(fetch(first.url.replace('127.0.0.1', '127.0.0.2'))).rejects.toThrow('fetch failed');
  const client = new Client(first.url);
  const created = await client.rest('POST', '/product_tags', { token, body: { name_en: 'Kept over a restart' } });
  expect(created.status).toBe(201);

  const [rest, graphql] = await Promise.all(
    curls.map(async (curl) => JSON.parse((await promisify(execFile)('sh', ['-c', curl])).stdout)),
  );
  expect(rest.services).toHaveLength(4);
  expect(graphql.errors).toBeUndefined();
  expect(graphql.data.viewer.items.nodes.length).toBeGreaterThan(0);

  expect(await first.end('SIGTERM')).toBe(0);
  expect(first.stderr).toBe('');

  await using second = await startService({ DATA_DIR: dataDir });
  await printed(second, /curl /);
  expect((await readFile(tokenFile, 'utf8')).trim()).toBe(token);
  const updated = await new Client(second.url).rest('PUT', `/product_tags/${created.body.id}`, {
    token,
    body: { name_en: 'Kept over a restart' },
  });
  expect({ status: updated.status, body: updated.body }).toEqual({ status: 200, body: created.body });
  process.kill(second.pid, 'SIGTERM');
  expect(await second.end('SIGINT')).toBe(0);
  expect(second.stderr).toBe('');
  expect(await exists(join(dataDir, 'lock'))).toBe(false);
});

test.each(['SIGKILL', 'SIGTERM'] as const)(
  'a first start that %s ends half way does not spoil the folder',
  async (signal) => {
    const dataDir = join(parent, `half ${signal}`);
    const killed = await spawnService({ DATA_DIR: dataDir });
    while (!(await exists(join(dataDir, 'pglite', 'PG_VERSION')))) {
      if (!killed.running) throw new Error(killed.stderr);
    }
    expect(await exists(join(dataDir, 'pglite.unfinished'))).toBe(true);
    await killed.end(signal);
    await using service = await startService({ DATA_DIR: dataDir });
    const { body } = await new Client(service.url).rest('GET', '/countries');
    expect(body.countries).toHaveLength(249);
  },
);

describe('what the operator can mend is a sentence, and the exit code is 1', () => {
  test('a port in use', async () => {
    const port = await freePort();
    const other = createServer().listen(port, '127.0.0.1');
    await once(other, 'listening');
    const dataDir = await copyFolder('port');
    await using service = await spawnService({ DATA_DIR: dataDir, PORT: String(port) });
    const code = await service.exited;
    other.close();
    expect({ code, stderr: service.stderr }).toEqual({ code: 1, stderr: expect.stringContaining(`Port ${port}`) });
    expectSentence(service.stderr);
    expect(await exists(join(dataDir, 'lock'))).toBe(false);
  });

  test('a bad environment: every mistake', async () => {
    await using service = await spawnService({ PORT: 'http', LOG_LEVEL: 'loud', INTROSPECTION: 'maybe' });
    expect(await service.exited).toBe(1);
    for (const name of ['PORT', 'LOG_LEVEL', 'INTROSPECTION']) expect(service.stderr).toContain(`${name} must be `);
    expectSentence(service.stderr);
  });

  test('a data folder that cannot be made', async () => {
    await using service = await spawnService({ DATA_DIR: '/dev/null/data' });
    expect(await service.exited).toBe(1);
    expect(service.stderr).toContain('/dev/null/data');
    expectSentence(service.stderr);
  });
});

function expectSentence(stderr: string): void {
  expect(stderr).not.toMatch(/^\s+at |node:internal|\{$/m);
}

/** A data folder that a service has made. */
async function copyFolder(name: string): Promise<string> {
  const template = inject('template');
  if (template.kind !== 'pglite') throw new Error('these tests are about the embedded database');
  const folder = join(parent, name);
  await cp(template.folder, folder, { recursive: true });
  return folder;
}

function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
