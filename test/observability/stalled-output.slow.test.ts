import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { Client } from '../support/client.ts';
import { freePort } from '../support/free-port.ts';
import { childCommand } from '../support/programs.ts';
import { copyTemplate, use, useFolder } from '../support/test-app.ts';

const database = use(await copyTemplate());
const folder = await useFolder();

/** Starts the service with a pipe as standard output that nobody reads yet. */
async function startWithPipe(name: string) {
  const pipe = join(folder, name);
  execFileSync('mkfifo', [pipe]);
  // Opened for reading and writing, so that the pipe has a reader that does not read.
  const holder = await open(pipe, constants.O_RDWR);
  const port = String(await freePort());
  const env = { PATH: process.env.PATH, ...database.env, PORT: port, RATE_LIMIT: 'off', SHUTDOWN_DELAY: '0' };
  const [command, ...args] = childCommand(process.execPath, 'dist/src/main.js');
  const service = spawn(command, args, { env, stdio: ['ignore', holder.fd, 'pipe'] });
  onTestFinished(async () => {
    service.kill('SIGKILL');
    await holder.close();
  });
  const exited = once(service, 'exit');
  const client = new Client(`http://127.0.0.1:${port}`);
  await expect.poll(() => client.fetch('GET', '/readyz').catch(() => ({ status: 0 }))).toMatchObject({ status: 200 });
  const path = `/${'a'.repeat(1_500)}`;
  const request = async (count: number) => {
    for (let sent = 0; sent < count; sent += 16) {
      await Promise.all(Array.from({ length: 16 }, () => client.fetch('GET', path)));
    }
  };
  return { client, exited, holder, pipe, request, service };
}

test('a stalled log reader gets the number of lost lines, and delays neither requests nor the exit', async () => {
  const { client, exited, holder, pipe, request, service } = await startWithPipe('read-late');
  await request(4_000);
  expect(await client.fetch('GET', '/readyz')).toMatchObject({ status: 200 });

  const reader = createReadStream(pipe);
  const printed = text(reader);
  let read = '';
  reader.on('data', (chunk) => {
    read += chunk;
  });
  await expect.poll(() => read).toMatch(/log lines dropped/);
  await request(16);
  service.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
  await holder.close();
  const lines = (await printed).trimEnd().split('\n');
  const parsed = lines.map((line) => JSON.parse(line));
  const { dropped } = parsed.find(({ msg }) => msg === 'log lines dropped');
  expect(dropped).toBeGreaterThan(0);
  const logged = parsed.filter(({ req }) => req?.path.startsWith('/aaa'));
  expect(logged.length + dropped).toBeGreaterThanOrEqual(4_016);
  expect(parsed.at(-1)).toMatchObject({ msg: 'stopped' });
});

test('without a log reader the service exits with code 0', async () => {
  const { exited, request, service } = await startWithPipe('never-read');
  await request(4_000);
  service.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
});
