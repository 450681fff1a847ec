import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startApp, use } from '../support/app.ts';
import { blocksOf, settingsOf } from '../support/page.ts';
import { exchangeRaw } from '../support/raw-http.ts';

const token = `pp_${'t'.repeat(43)}`;
const app = use(await startApp());
await writeFile(join(app.dataDir, 'demo-token'), `${token}\n`);

async function open(path: string, host: string, headers: [string, string][] = []) {
  const answer = await exchangeRaw(
    app.url,
    { method: 'GET', target: path, headers: [['Accept', 'text/html'], ...headers] },
    host,
  );
  if (answer === undefined) throw new Error('no answer');
  return answer;
}

const pages: [path: string, tokenOf: (settings: ReturnType<typeof settingsOf>) => string | undefined][] = [
  ['/?task=items', (settings) => settings.token && `Bearer ${settings.token}`],
  ['/graphql', (settings) => settings.initialState.sharedHeaders.Authorization],
  ['/explorer', (settings) => settings.tabs[0].initialHeaders.Authorization],
  ['/docs', (settings) => settings.token && `Bearer ${settings.token}`],
];

test.each(pages)('%s sends the demo token, to a browser of this machine', async (path, tokenOf) => {
  for (const host of ['127.0.0.1:4000', 'localhost:4000', 'localhost', '[::1]:4000']) {
    const { body, headers } = await open(path, host);
    expect(tokenOf(settingsOf(body))).toBe(`Bearer ${token}`);
    expect(headers.get('cache-control')).toBe('private, no-store');
  }
});

test.each(pages)('%s has none for a name that only points here, nor behind a proxy', async (path, tokenOf) => {
  const asked: [string, [string, string][]][] = [
    ['gateway.example:4000', []],
    ['localhost.example', []],
    ['127.0.0.1.example', []],
    ['localhost:4000', [['X-Forwarded-For', '127.0.0.1']]],
    ['localhost:4000', [['Forwarded', 'for=127.0.0.1']]],
    ['localhost:4000', [['Via', '1.1 proxy']]],
  ];
  for (const [host, headers] of asked) {
    const { body, headers: answered } = await open(path, host, headers);
    expect(body).not.toContain(token);
    expect(tokenOf(settingsOf(body))).toBeUndefined();
    expect(answered.get('cache-control')).toBe('private, no-cache');
  }
});

test('the overview shows the command that reads it', async () => {
  const { body } = await open('/', 'localhost:4000');
  const command = blocksOf(body).find(({ text }) => text.startsWith('TOKEN='))?.text;
  const env = { ...process.env, DATA_DIR: app.dataDir };
  const { stdout } = await promisify(execFile)('sh', ['-c', `${command}\nprintf %s "$TOKEN"`], { env });
  expect(stdout).toBe(token);
});

test('without the file, or with something else in it, there is none', async () => {
  const isThere = async () => (await open('/explorer', 'localhost')).body.includes('Bearer');
  expect(await isThere()).toBe(true);
  await writeFile(join(app.dataDir, 'demo-token'), '"},<script>');
  expect(await isThere()).toBe(false);
  await rm(join(app.dataDir, 'demo-token'));
  expect(await isThere()).toBe(false);
});
