import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { describe, expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { startHAProxy } from '../support/haproxy.ts';
import { startService } from '../support/process.ts';
import { surfaces } from '../support/product-tag.ts';
import { lacks } from '../support/programs.ts';
import { isFailed, startLoad } from '../support/request-load.ts';
import { createTenant, type Tenant } from '../support/tenant.ts';
import { copyTemplate, openDatabase } from '../support/test-app.ts';
import type { Attack } from './attacker.ts';

/** In ms. */
const duration = 3_000;

/** Waits up to this time count as none, in ms. */
const unnoticed = 30;

/** How much longer others wait at most: 300 ms in place of 30. */
const maxWait = 10;

const post = (framing: string, body: string) =>
  `POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${framing}\r\n\r\n${body}`;
const chunked = 'Transfer-Encoding: chunked';

const putAll = (path: string, { token, products }: Tenant) => {
  const body = JSON.stringify({ name_en: 'All', item_ids: products });
  const headers = ['Host: a', `Authorization: Bearer ${token}`, 'Content-Type: application/json'];
  return `PUT ${path} HTTP/1.1\r\n${headers.join('\r\n')}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
};

type Flood = Partial<Omit<Attack, 'requests'>> & {
  name: string;
  requests: (path: string, attacker: Tenant) => string[];
};

const floods: Flood[] = [
  { name: 'bodies in chunks of one byte', requests: () => [post(chunked, '1\r\nx\r\n'.repeat(150_000))] },
  { name: 'short bodies in chunks of one byte', requests: () => [post(chunked, '1\r\nx\r\n'.repeat(4_000))] },
  {
    name: 'bodies that do not end, large and small',
    requests: () => [520_000, 1_000].map((sent) => post('Content-Length: 524000', 'x'.repeat(sent))),
    connections: 350,
    addresses: 4,
  },
  {
    name: '2,000 requests at once, whose responses are not read',
    requests: () => ['GET /partner_portal/v1/cities HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(2_000)],
  },
  { name: 'headers that do not end', requests: () => ['GET / HTTP/1.1\r\nHost: a\r\n'] },
  {
    name: 'large writes whose client resets each connection',
    requests: (...target) => [putAll(...target)],
    resetAfter: 4,
    connections: 32,
    addresses: 1,
  },
];

// The floods that the process alone does not withstand.
describe.skipIf(lacks('haproxy'))('through deploy/haproxy.cfg', () => {
  test.each(floods)('$name: others are served in time', async ({ name, requests: requestsOf, ...flood }) => {
    await using database = await copyTemplate();
    await using opened = await openDatabase(database.env);
    const [{ token, products }, attacker] = [
      await createTenant(opened.db),
      await createTenant(opened.db, { products: 10_000 }),
    ];
    await using service = await startService({
      ...database.env,
      ...{ TRUST_PROXY: '127.0.0.1', LOG_LEVEL: 'info', NODE_OPTIONS: '--max-old-space-size=256' },
    });
    const { host } = new URL(service.url);
    const replicas = { REPLICA_1: host, REPLICA_2: host, REPLICA_3: host };
    await using balancer = await startHAProxy(['haproxy.cfg'], replicas);
    await balancer.until('ready', 'replica1', 'replica2', 'replica3');
    const client = new Client(`http://${balancer.address}`);
    const tag = await surfaces.REST.create(client, { name_en: 'Bystander' }, { token });
    const { id } = await surfaces.REST.create(client, { name_en: 'Large' }, attacker);
    const requests = [
      () => client.fetch('GET', '/livez'),
      () => client.rest('GET', '/countries'),
      () => client.graphql('{items(first:5){nodes{id nameEn}}}', {}, { token }),
      () => client.rest('PUT', `/product_tags/${tag.id}`, { token, body: { name_en: 'Tag', item_ids: products } }),
    ];

    /** The 95th percentile of the waits of others meanwhile, in ms. */
    async function waitDuring(work: Promise<unknown>): Promise<number> {
      const load = startLoad(requests.length, (worker) => (requests[worker] as (typeof requests)[0])(), 20);
      await work;
      const outcomes = await load.stop();
      expect(outcomes.filter(isFailed)).toEqual([]);
      const sorted = outcomes.map(({ ms }) => ms).toSorted((a, b) => a - b);
      return sorted[Math.floor(0.95 * sorted.length)] as number;
    }

    // Compiles the code of the service.
    await waitDuring(setTimeout(1_000));
    const quiet = await waitDuring(setTimeout(duration));
    const port = Number(balancer.address.split(':')[1]);
    const attack = requestsOf(`/partner_portal/v1/product_tags/${id}`, attacker);
    const workerData = {
      ...{ connections: 150, addresses: 32, ...flood, requests: attack },
      ...{ port, duration, isEndless: true },
    } satisfies Attack;
    const worker = new Worker(new URL('./attacker.ts', import.meta.url), { workerData });
    const ended = new Promise((resolve, reject) => worker.once('exit', resolve).once('error', reject));
    const flooded = await waitDuring(ended);
    console.log(`${name}: p95 ${Math.round(flooded)} ms (quiet: ${Math.round(quiet)})`);
    expect(service.running).toBe(true);
    expect(flooded / Math.max(quiet, unnoticed)).toBeLessThan(maxWait);
  });
});
