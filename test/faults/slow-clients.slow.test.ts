import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startService } from '../support/process.ts';
import { openSocket } from '../support/raw-http.ts';
import { isFailed, startLoad } from '../support/request-load.ts';
import { copyTemplate, use } from '../support/test-app.ts';

const database = use(await copyTemplate());

test('1,000 slow clients do not block another, and are disconnected', async () => {
  // One address gets half of the connections.
  await using service = await startService({ ...database.env, RATE_LIMIT: 'off', MAX_CONNECTIONS: '5000' });
  const sockets = await Promise.all(
    Array.from({ length: 1_000 }, (_, index) => openSlow(service.url, index % 2 === 0)),
  );
  const load = startLoad(1, () => service.client.rest('GET', '/services'));
  await setTimeout(4_000);
  const outcomes = await load.stop();
  expect(outcomes.filter(isFailed)).toEqual([]);
  // Requests that wait for the slow clients would be fewer.
  expect(outcomes.length).toBeGreaterThan(100);
  expect(sockets.filter(({ closed }) => !closed).length).toBeGreaterThan(900);
  await expect.poll(() => sockets.filter(({ closed }) => !closed)).toEqual([]);
});

const head = 'POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n';

/** Opens a connection that sends one byte per second of a header or body. */
async function openSlow(url: string, isHeader: boolean) {
  const socket = openSocket(url);
  await once(socket, 'connect');
  socket.write(isHeader ? `${head}X-Slow: ` : `${head}\r\n`);
  const drip = setInterval(() => socket.write('a'), 1_000);
  return socket.on('close', () => clearInterval(drip)).resume();
}
