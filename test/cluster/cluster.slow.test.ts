import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listWaitingBackends, lockTable } from '../support/locks.ts';
import { lacks } from '../support/programs.ts';
import { formatFigures, isFailed, type Outcome, startLoad } from '../support/request-load.ts';
import { TagLedger } from '../support/tag-ledger.ts';
import { createTenant } from '../support/tenant.ts';
import { type GatewayCluster, programs, startGatewayCluster } from './gateway-cluster.ts';

describe.skipIf(lacks(...programs))('three replicas behind a balancer', () => {
  let cluster: GatewayCluster;
  beforeAll(async () => {
    cluster = await startGatewayCluster();
  });
  afterAll(() => cluster?.[Symbol.asyncDispose]());

  test('each client of the balancer has its own limits, shared by all replicas', async () => {
    const left = async (localAddress: string) => {
      const request = get(`${cluster.url}/partner_portal/v1/services`, { localAddress });
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      return Number(/r=(\d+)/.exec(String(response.resume().headers.ratelimit))?.[1]);
    };
    const seen: number[] = [];
    for (const last of [2, 2, 2, 2, 3]) seen.push(await left(`127.0.0.${last}`));
    expect(seen).toEqual([999_999, 999_998, 999_997, 999_996, 999_999]);
  });

  test('no request fails during a rolling restart', async () => {
    const { reads, writes } = await underLoad('rolling restart', async () => {
      for (const [index, replica] of [...cluster.replicas.entries()]) {
        expect(await replica.end('SIGTERM')).toBe(0);
        await cluster.restart(index);
      }
    });
    expect([...reads, ...writes].filter(isFailed)).toEqual([]);
  });

  test('after kill -9 of a replica, only its writes in progress fail', async () => {
    let [begin, noticed] = [0, 0];
    const { reads, writes } = await underLoad('kill -9 of a replica', async () => {
      // All replicas have waiting reads and writes when one is killed.
      await lockTable(cluster.db, 'items', async () => {
        await expect.poll(() => listWaitingBackends(cluster.db).then(({ length }) => length)).toBeGreaterThan(11);
        begin = performance.now();
        await cluster.replicas[0]?.end('SIGKILL');
        // The load balancer retries the reads on other replicas while they still wait.
        await setTimeout(200);
      });
      await cluster.untilReady('replica2', 'replica3');
      noticed = performance.now();
      await cluster.restart(0);
    });
    expect(reads.filter(isFailed)).toEqual([]);
    const failed = writes.filter(isFailed);
    expect(failed).not.toEqual([]);
    // Each was in progress when a replica ended, or was sent before the load balancer noticed.
    const isOfKill = ({ sentAt, ms }: Outcome) => sentAt < noticed && begin < sentAt + ms;
    expect({ begin, noticed, failed: failed.filter((each) => !isOfKill(each)) }).toEqual({
      begin,
      noticed,
      failed: [],
    });
    // The other replicas completed their writes.
    expect(writes.some((outcome) => isOfKill(outcome) && !isFailed(outcome))).toBe(true);
  });

  // Last, because the primary does not return.
  test('after kill -9 of the primary, writes get 503 until the standby is promoted, and none is lost', async () => {
    const { primary, promote, replicas } = cluster;
    const pids = replicas.map(({ pid }) => pid);
    let [killed, promoted] = [0, 0];
    const { reads, writes } = await underLoad('failover', async (ledger, outcomes) => {
      await setTimeout(1_000);
      await primary.kill();
      killed = performance.now();
      await expect.poll(() => outcomes.filter(({ status }) => status === 503).length).toBeGreaterThan(20);
      promoted = performance.now();
      await promote();
      const before = ledger.acknowledged;
      await expect.poll(() => ledger.acknowledged - before, { interval: 20 }).toBeGreaterThan(0);
      console.log(`failover: writes again ${Math.round(performance.now() - promoted)} ms after the promotion`);
      await cluster.untilReady();
      // Once every connection has been replaced, all writes succeed, in the same processes.
      await expect.poll(() => outcomes.slice(-100).filter(isFailed)).toEqual([]);
    });
    // Writes in progress when the primary ended may have been acknowledged at that moment.
    const sentMeanwhile = writes.filter(({ sentAt, ms }) => sentAt > killed && sentAt + ms < promoted);
    expect(new Set(sentMeanwhile.map(({ status }) => status))).toEqual(new Set([503]));
    const all = [...reads, ...writes];
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200, 201, 503]));
    expect(all.filter(({ status, retryAfter }) => status === 503 && retryAfter === null)).toEqual([]);
    expect(replicas.map(({ pid, running }) => ({ pid, running }))).toEqual(pids.map((pid) => ({ pid, running: true })));
  });

  /** Stages a fault under about 200 requests a second of both APIs: no acknowledged write may be lost. */
  async function underLoad(name: string, stageFault: (ledger: TagLedger, writes: Outcome[]) => Promise<void>) {
    const { client, db, tenant, url } = cluster;
    const { token } = await createTenant(db);
    const graphql = (query: string) => `/graphql?${new URLSearchParams({ query })}`;
    const kinds: [path: string, headers?: Record<string, string>][] = [
      ['/partner_portal/v1/countries'],
      ['/partner_portal/v1/lookups?brand_types=1&week_days=1', { 'Accept-Language': 'ar' }],
      [graphql('{ services { id name } }')],
      [graphql('{ items(first: 5) { nodes { id } } }'), { Authorization: `Bearer ${token}` }],
    ];
    const read = async (worker: number) => {
      const [path, headers = {}] = kinds[worker % kinds.length] ?? [''];
      const response = await fetch(url + path, { headers });
      await response.arrayBuffer();
      return response;
    };
    const ledger = new TagLedger(client, tenant);
    const reading = startLoad(16, read, 100);
    const writing = startLoad(12, (worker) => ledger.write(worker), 200);
    await setTimeout(1_000);
    await stageFault(ledger, writing.outcomes);
    await setTimeout(1_000);
    const [reads, writes] = await Promise.all([reading.stop(), writing.stop()]);
    const lost = await ledger.findLost(db);
    console.log(
      `${name}: ${formatFigures([...reads, ...writes])}; ${ledger.acknowledged} acknowledged, ${lost.length} lost`,
    );
    expect(lost).toEqual([]);
    return { reads, writes };
  }
});
