import { once } from 'node:events';
import { createConnection } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { figuresOf, startLoad } from '../support/load.ts';
import { TagLedger } from '../support/tag-ledger.ts';

/** From SIGTERM to the end of the process, in ms. */
const stopLimit = 15_000;

let gateway: Gateway;
afterEach(() => gateway[Symbol.asyncDispose]());

describe.each(['1', '2'])('SIGTERM, WORKERS=%s', (WORKERS) => {
  beforeEach(async () => {
    gateway = await startGateway({ SHUTDOWN_DELAY: undefined, WORKERS });
  });

  test('under load: not ready at once, no request fails, exit code 0', async () => {
    const { client, db, service, tenant } = gateway;
    const ledger = new TagLedger(client, tenant);
    const reads = startLoad(16, () => client.rest('GET', '/countries'));
    const writes = startLoad(8, (worker) => ledger.write(worker));
    await setTimeout(2_000);

    const stopped = performance.now();
    const exited = service.end('SIGTERM');
    // As a balancer does: it looks every half second, and sends nothing more to who is not ready.
    do await setTimeout(500);
    while ((await client.fetch('GET', '/readyz')).status === 200);
    const notReady = performance.now() - stopped;
    const outcomes = [...(await reads.stop()), ...(await writes.stop())];
    expect(await exited).toBe(0);
    const ended = performance.now() - stopped;

    console.log(
      `SIGTERM under load: ${figuresOf(outcomes)}; known as not ready in ${Math.round(notReady)} ms, ended in ${Math.round(ended)} ms`,
    );
    expect(outcomes.filter(({ status }) => status < 200 || status > 299)).toEqual([]);
    expect(ended).toBeLessThan(stopLimit);
    expect(await ledger.findLost(db)).toEqual([]);
  });

  test('while a write waits for another: the write is finished and answered', async () => {
    const { client, db, service, tenant } = gateway;
    const { token, products } = tenant;
    const created = await client.rest('POST', '/product_tags', { token, body: { name_en: 'Waiting' } });
    const [answer, exited] = await db.transaction().execute(async (transaction) => {
      await transaction.selectFrom('productTags').select('id').where('id', '=', created.body.id).forUpdate().execute();
      const body = { name_en: 'Waited', item_ids: products };
      const put = client.rest('PUT', `/product_tags/${created.body.id}`, { token, body });
      await setTimeout(300);
      const ended = service.end('SIGTERM');
      await setTimeout(1_500);
      return [put, ended] as const;
    });
    expect(await answer).toMatchObject({ status: 200, body: { name_en: 'Waited', item_ids: products } });
    expect(await exited).toBe(0);
  });

  test('while PostgreSQL is frozen: the process ends all the same', async () => {
    const { client, server, service, tenant } = gateway;
    await server.freeze();
    const waiting = client.graphql('{ viewer { partner { name } } }', {}, tenant);
    await setTimeout(300);
    const stopped = performance.now();
    expect(await service.end('SIGTERM'), service.stderr).toBe(0);
    const ended = performance.now() - stopped;
    expect((await waiting).status).toBe(503);
    await server.thaw();
    console.log(`SIGTERM with PostgreSQL frozen: ended in ${Math.round(ended)} ms`);
    expect(ended).toBeLessThan(stopLimit);
  });

  test('while a client never finishes its request: the process ends all the same', async () => {
    const { service } = gateway;
    const socket = await holdRequest(service.url);
    const stopped = performance.now();
    expect(await service.end('SIGTERM')).toBe(0);
    const ended = performance.now() - stopped;
    socket.destroy();
    console.log(`SIGTERM with an unfinished request: ended in ${Math.round(ended)} ms`);
    expect(ended).toBeLessThan(stopLimit);
  });
});

test.each([
  ['SIGINT', 130, '1'],
  ['SIGTERM', 143, '1'],
  ['SIGINT', 130, '2'],
  ['SIGTERM', 143, '2'],
] as const)(
  'a second signal, %s, ends the process at once, with code %i, WORKERS=%s',
  async (signal, code, WORKERS) => {
    gateway = await startGateway({ WORKERS });
    const { service } = gateway;
    const socket = await holdRequest(service.url);
    const exited = service.end('SIGTERM');
    // Together with the first it would count as one: npm passes on what the terminal has sent to all.
    process.kill(service.pid, signal);
    await setTimeout(1_000);
    expect(service.running).toBe(true);
    const second = performance.now();
    process.kill(service.pid, signal);
    expect(await exited).toBe(code);
    console.log(`a second ${signal}: ended in ${Math.round(performance.now() - second)} ms`);
    socket.destroy();
  },
);

/** A request whose body does not come: the service has it in hand for as long as it lets it. */
async function holdRequest(url: string) {
  const { hostname, port } = new URL(url);
  const socket = createConnection(Number(port), hostname);
  socket.on('error', () => {});
  await once(socket, 'connect');
  const head =
    'POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{';
  socket.write(head);
  await setTimeout(200);
  return socket;
}
