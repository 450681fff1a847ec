import { Agent, request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { figuresOf, type Outcome, startLoad } from '../support/load.ts';
import { Process, printed } from '../support/process.ts';

const agent = new Agent({ keepAlive: true });

let gateway: Gateway;
afterEach(() => gateway[Symbol.asyncDispose]());

// Takes long to validate, and has a short response, so that reading it does not slow the flood.
const fragments = Array.from({ length: 70 }, (_, index) => `F${index}`);
const fragmentsText = fragments.map((name) => `fragment ${name} on Lookups { weekDays { key value name } }`).join(' ');
const heavyDocument = (id: number) =>
  `query Q${id} { lookups { ${fragments.map((name) => `...${name}`).join(' ')} } } ${fragmentsText}`;

// Each is another document, so that none is cached.
let documents = 0;
const heavy = () => sendOnly(gateway.service.url, JSON.stringify({ query: heavyDocument(documents++) }));

test('a process that cannot keep up rejects fast, stays live, and recovers', async () => {
  gateway = await startGateway({ MAX_EVENT_LOOP_DELAY: undefined });
  const { client } = gateway;
  const load = startLoad(150, heavy);
  const probes = startLoad(1, async () => {
    await setTimeout(100);
    return client.fetch('GET', '/livez');
  });
  const countOf = (wanted: number) => load.outcomes.filter(({ status }) => status === wanted).length;
  await expect.poll(() => Math.min(countOf(503), 10 * countOf(200))).toBeGreaterThan(200);
  const outcomes = await load.stop();
  const live = await probes.stop();

  const rejected = outcomes.filter(({ status }) => status === 503);
  const served = outcomes.filter(({ status }) => status === 200);
  console.log(
    `overload: ${figuresOf(outcomes)}; rejected in ${quantiles(rejected)}, served in ${quantiles(served)}, live in ${quantiles(live)} with the pause of 100 ms between two probes`,
  );
  expect(rejected.filter(({ retryAfter }) => retryAfter === null)).toEqual([]);
  expect(live.filter(({ status }) => status === 503)).toEqual([]);
  expect(quantile(rejected, 0.5)).toBeLessThan(quantile(served, 0.5));
  await expect.poll(async () => (await heavy()).status).toBe(200);
});

test('a thousand slow clients do not slow down another, and are sent away', { timeout: 120_000 }, async () => {
  // One address has half of them.
  gateway = await startGateway({ MAX_CONNECTIONS: '5000' });
  const { client, service } = gateway;
  const measure = async () => {
    const load = startLoad(1, () => client.rest('GET', '/services'));
    await setTimeout(5_000);
    return load.stop();
  };
  await measure();
  const alone = await measure();
  await using slow = new Process('test/support/slow-clients.ts', [service.url], {});
  await printed(slow, /all open/);
  const begin = performance.now();
  const beside = await measure();
  const [, left] = /.*^(\d+) left/ms.exec(slow.stdout) ?? [];
  // The median: other work of the machine shows in the slowest requests.
  const ratio = quantile(beside, 0.5) / quantile(alone, 0.5);
  expect(await slow.exited).toBe(0);
  const seconds = (performance.now() - begin) / 1_000;
  console.log(
    `slow clients: a median ${ratio.toFixed(2)} times that without them (${quantiles(alone)} against ${quantiles(beside)}); all sent away after ${Math.round(seconds)} s`,
  );
  expect(beside.filter(({ status }) => status !== 200)).toEqual([]);
  expect(Number(left)).toBeGreaterThan(900);
  expect(ratio).toBeLessThan(5);
  expect(seconds).toBeLessThan(40);
});

/** Sends a document and ignores the response, which would take the time of the process that floods. */
function sendOnly(url: string, body: string): Promise<{ status: number; headers: Headers }> {
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
    const sent = request(`${url}/graphql`, { agent, method: 'POST', headers }, (response) => {
      const told = new Headers(response.headers as Record<string, string>);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: told })).resume();
    });
    sent.on('error', reject).end(body);
  });
}

function quantile(outcomes: readonly Outcome[], share: number): number {
  const sorted = outcomes.map(({ ms }) => ms).toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function quantiles(outcomes: readonly Outcome[]): string {
  return `p50 ${quantile(outcomes, 0.5).toFixed(1)} ms, p99 ${quantile(outcomes, 0.99).toFixed(1)} ms`;
}
