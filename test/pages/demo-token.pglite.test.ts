import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { exchangeRaw } from '../support/raw-http.ts';
import { startApp, use } from '../support/test-app.ts';
import { findBlocks } from './page-parts.ts';

const token = `pp_${'t'.repeat(43)}`;
const app = use(await startApp());
const file = join(app.dataDir, 'demo-token');
await writeFile(file, `${token}\n`);

async function open(target: string, host: string, headers: [string, string][] = []) {
  const request = { method: 'GET', target, headers: [['Accept', 'text/html'] as const, ...headers] };
  const answer = await exchangeRaw(app.url, request, host);
  return { body: answer?.body ?? '', cacheControl: answer?.headers.get('cache-control') };
}

test.each(['/?example=items', '/graphql', '/explorer', '/docs', '/guides/quickstart'])(
  '%s has the demo token only on this machine',
  async (path) => {
    for (const host of ['127.0.0.1:4000', 'localhost:4000', 'localhost', '[::1]:4000']) {
      const { body, cacheControl } = await open(path, host);
      expect(body).toContain(token);
      expect(cacheControl).toBe('private, no-store');
    }
    // Other names of this machine, and proxies.
    for (const [host, ...headers] of [
      ['gateway.example:4000'],
      ['localhost.example'],
      ['127.0.0.1.example'],
      ['localhost:4000', ['X-Forwarded-For', '127.0.0.1']],
      ['localhost:4000', ['Forwarded', 'for=127.0.0.1']],
      ['localhost:4000', ['Via', '1.1 proxy']],
    ] as [string, ...[string, string][]][]) {
      const { body, cacheControl } = await open(path, host, headers);
      expect(body).not.toContain(token);
      expect(cacheControl).toBe('private, no-cache');
    }
  },
);

test('the overview shows the command that prints the token', async () => {
  const command = findBlocks((await open('/', 'localhost:4000')).body).find((text) => text.startsWith('cat '));
  const env = { ...process.env, DATA_DIR: app.dataDir };
  const { stdout } = await promisify(execFile)('sh', ['-c', command ?? ''], { env });
  expect(stdout).toBe(`${token}\n`);
});

test('without a valid token file, the pages have no token', async () => {
  const isThere = async () => (await open('/explorer', 'localhost')).body.includes('"token":');
  expect(await isThere()).toBe(true);
  await writeFile(file, '"},<script>');
  expect(await isThere()).toBe(false);
  await rm(file);
  expect(await isThere()).toBe(false);
});
