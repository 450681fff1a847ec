import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { figuresOf, type Outcome, startLoad } from '../support/load.ts';

let gateway: Gateway;
afterEach(() => gateway[Symbol.asyncDispose]());

const document =
  'query ($id: Int) { one: cities(countryId: $id) { id } countries { id nameEn nameAr name } cities { id nameEn nameAr country { nameEn nameAr } } }';

test('a process that cannot keep up refuses fast, stays live, and recovers', async () => {
  gateway = await startGateway({ MAX_EVENT_LOOP_DELAY: undefined });
  const { client } = gateway;
  // Each another one, so that none is answered from what is kept.
  let id = 0;
  const heavy = () => client.graphql(document, { id: id++ });
  const flood = startLoad(400, heavy);
  const probes = startLoad(1, async () => {
    await setTimeout(100);
    return client.fetch('GET', '/livez');
  });
  // It takes seconds to tell an overload from a burst.
  await setTimeout(6_000);
  const begin = flood.outcomes.length;
  await setTimeout(8_000);
  const outcomes = flood.outcomes.slice(begin);
  await flood.stop();
  const live = await probes.stop();

  const refused = outcomes.filter(({ status }) => status === 503);
  console.log(
    `overload: ${figuresOf(outcomes)}; refused in ${quantiles(refused)}, served in ${quantiles(outcomes.filter(({ status }) => status === 200))}, live in ${quantiles(live)}`,
  );
  expect(outcomes.filter(({ status }) => status !== 200 && status !== 503)).toEqual([]);
  expect(outcomes.some(({ status }) => status === 200)).toBe(true);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.filter(({ retryAfter }) => retryAfter === null)).toEqual([]);
  expect(live.filter(({ status }) => status !== 200)).toEqual([]);
  expect(quantile(refused, 0.5)).toBeLessThan(50);
  await expect.poll(async () => (await heavy()).status, { timeout: 10_000 }).toBe(200);
});

test('a thousand slow clients do not slow down another, and are sent away', { timeout: 180_000 }, async () => {
  gateway = await startGateway();
  const { client, service } = gateway;
  const measure = async () => {
    const load = startLoad(1, () => client.rest('GET', '/services'));
    await setTimeout(5_000);
    return load.stop();
  };
  await measure();
  const alone = await measure();
  const slow = await Promise.all(Array.from({ length: 1_000 }, (_, index) => openSlowly(service.url, index % 2 === 0)));
  const begin = performance.now();
  const beside = await measure();
  const ratio = quantile(beside, 0.99) / quantile(alone, 0.99);
  console.log(
    `slow clients: p99 ${ratio.toFixed(2)} times that without them; ${quantiles(alone)} against ${quantiles(beside)}`,
  );
  expect(beside.filter(({ status }) => status !== 200)).toEqual([]);
  expect(slow.filter((socket) => !socket.closed).length).toBeGreaterThan(900);
  expect(ratio).toBeLessThan(2);

  await Promise.all(slow.map((socket) => socket.closed || once(socket, 'close')));
  console.log(`slow clients: all sent away after ${Math.round((performance.now() - begin) / 1_000)} s`);
  expect(performance.now() - begin).toBeLessThan(40_000);
});

/** Sends a byte a second: of the headers, or of the body. */
async function openSlowly(url: string, isHeader: boolean): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = createConnection(Number(port), hostname);
  const drip = setInterval(() => socket.write('a'), 1_000);
  socket.on('error', () => {});
  socket.on('close', () => clearInterval(drip));
  await once(socket, 'connect');
  const head =
    'POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n';
  socket.write(isHeader ? `${head}X-Slow: ` : `${head}\r\n`);
  socket.resume();
  return socket;
}

function quantile(outcomes: readonly Outcome[], share: number): number {
  const sorted = outcomes.map(({ ms }) => ms).toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function quantiles(outcomes: readonly Outcome[]): string {
  return `p50 ${quantile(outcomes, 0.5).toFixed(1)} ms, p99 ${quantile(outcomes, 0.99).toFixed(1)} ms`;
}
