import { execFile } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { freePort } from '../support/free-port.ts';
import { printed, startService } from '../support/process.ts';
import { copyTemplate } from '../support/test-app.ts';

test('LOG_FORMAT=pretty writes one readable line per request', async () => {
  await using database = await copyTemplate();
  await using service = await startService({ ...database.env, LOG_LEVEL: 'info', LOG_FORMAT: 'pretty' });
  const { client } = service;
  await client.graphql('query Countries { countries { id } }', {}, { headers: { 'X-Request-Id': 'not-shown' } });
  await client.rest('GET', '/nothing', { headers: { 'X-Request-Id': 'shown-here' } });
  await printed(service, /shown-here/);
  expect(service.stdout).toMatch(/^\[\d\d:\d\d:\d\d\.\d{3}\] INFO: POST \/graphql 200 [\d.]+ ms {2}query Countries/m);
  const failed = /WARN: GET \/partner_portal\/v1\/nothing 404 [\d.]+ ms {2}not_found {2}shown-here\s*$/m;
  expect(service.stdout).toMatch(failed);
  expect(service.stdout).toMatch(/INFO: listening \{"url":"http/);
  expect(service.stdout).not.toMatch(/not-shown|"requestId"/);
  expect(await service.end('SIGTERM')).toBe(0);
});

// `script` of util-linux runs it in a pseudo-terminal and forwards its output.
test.runIf(process.platform === 'linux')(
  'a terminal gets the colored pretty format, unless LOG_FORMAT=json',
  async () => {
    await using database = await copyTemplate();
    const run = async (env: Record<string, string>) => {
      const port = String(await freePort());
      const vars = { ...database.env, PORT: port, SHUTDOWN_DELAY: '0', PATH: process.env.PATH, TERM: 'xterm', ...env };
      const command = `exec "${process.execPath}" dist/src/main.js`;
      const child = execFile('script', ['-qec', command, '/dev/null'], { env: vars });
      let output = '';
      child.stdout?.on('data', (text) => {
        output += text;
      });
      while (!output.includes('listening') && child.exitCode === null) await setTimeout(20);
      await new Client(`http://127.0.0.1:${port}`).rest('GET', '/services');
      while (!output.includes('services') && child.exitCode === null) await setTimeout(20);
      child.kill();
      return output;
    };
    const pretty = await run({});
    expect(pretty).toContain('\u001b[');
    expect(stripVTControlCharacters(pretty)).toMatch(/INFO: GET \/partner_portal\/v1\/services 200 [\d.]+ ms/);
    expect(await run({ LOG_FORMAT: 'json' })).toContain('"route":"GET /partner_portal/v1/services"');
  },
);
