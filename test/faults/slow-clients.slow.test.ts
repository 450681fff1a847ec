import { once } from 'node:events';
import { expect, test } from 'vitest';
import { startService } from '../support/process.ts';
import { openSocket } from '../support/raw-http.ts';
import { copyTemplate, use } from '../support/test-app.ts';

const database = use(await copyTemplate());

test('1,000 slow clients do not block others, and are disconnected', async () => {
  await using service = await startService({ ...database.env, RATE_LIMIT: 'off' });
  const sockets = await Promise.all(
    Array.from({ length: 1_000 }, (_, index) => openSlow(service.url, index % 2 === 0)),
  );
  expect((await service.client.rest('GET', '/services')).status).toBe(200);
  // A request that waited for the slow clients would get its response after the last of them is disconnected.
  expect(sockets.filter(({ closed }) => !closed)).not.toEqual([]);
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
