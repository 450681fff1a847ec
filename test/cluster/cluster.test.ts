import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GatewayCluster, programs, startGatewayCluster } from '../support/gateway-cluster.ts';
import { figuresOf } from '../support/load.ts';
import { type MixedLoad, startMixedLoad } from '../support/mixed-load.ts';
import type { PacedOutcome } from '../support/paced-load.ts';
import { lacks } from '../support/programs.ts';
import { createTenant } from '../support/tenant.ts';

const changes = 20;
const posts = 100;
const rollingRestarts = 3;

/** Updates, and reads, that wait for a lock as a replica is killed. */
const heldRequests = 9;

/** The balancer's answer for a server that went is 502, or the end of a connection that had requests before. */
const noAnswer = 0;

/** How old the reference data of a replica may be, in ms. */
const maxAge = 1_000;

/** How long a fault lasts, in ms. */
const faultTime = 2_000;

/** How long the balancer may take to see the end of a connection, in ms, on a machine that has other things to do. */
const noticeTime = 200;

/** How long it may take, in ms, until every replica has found out about a new primary. */
const settleTime = 5_000;

describe.skipIf(lacks(...programs))('three replicas behind a balancer', () => {
  let cluster: GatewayCluster;
  beforeAll(async () => {
    cluster = await startGatewayCluster();
  });
  afterAll(() => cluster[Symbol.asyncDispose]());

  test(`each of ${changes} changes of reference data is seen by all replicas within 1 s`, async () => {
    const ages: number[] = [];
    for (let change = 1; change <= changes; change += 1) {
      await sql`update services set name_en = ${`Change ${change}`} where code = 'dine_in'`.execute(cluster.db);
      const changed = performance.now();
      await Promise.all(cluster.replicas.map(({ url }) => untilSeen(url, change)));
      ages.push(performance.now() - changed);
    }
    console.log(`${changes} changes seen by all replicas: the slowest in ${Math.round(Math.max(...ages))} ms`);
    expect(ages.filter((age) => age > maxAge)).toEqual([]);
  });

  test(`${posts} POSTs with one idempotency key make one tag`, async () => {
    const { client, db } = cluster;
    const { companyId, products, token } = await createTenant(db);
    const headers = { 'Idempotency-Key': randomUUID() };
    const body = { name_en: 'Once', item_ids: products };
    const create = async (): Promise<unknown> => {
      const answer = await client.rest('POST', '/product_tags', { token, headers, body });
      if (answer.status === 201) return answer.body;
      // What a client does that is told to try again.
      expect(answer.status).toBe(409);
      await setTimeout(50);
      return create();
    };
    const tags = await Promise.all(Array.from({ length: posts }, create));
    const rows = await db.selectFrom('productTags').select('id').where('companyId', '=', companyId).execute();
    expect(rows).toHaveLength(1);
    expect(new Set(tags.map((tag) => JSON.stringify(tag))).size).toBe(1);
    expect(tags[0]).toMatchObject({ id: rows[0]?.id, item_ids: products });
  });

  test('a limit is that of the address which the balancer tells, and of each replica in turn', async () => {
    const headers = { 'X-Forwarded-For': '192.0.2.7' };
    const answers = await Promise.all(
      Array.from({ length: 9 }, () => cluster.client.rest('GET', '/services', { headers })),
    );
    const left = answers.map(({ headers }) => Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]));
    expect(left.toSorted((a, b) => b - a)).toEqual(Array.from({ length: 9 }, (_, index) => 999_999 - index));
  });

  test(`${rollingRestarts} rolling restarts by SIGTERM: no request fails`, async () => {
    const { reads, writes } = await underLoad('rolling restarts', async () => {
      for (let restart = 0; restart < rollingRestarts; restart += 1) {
        for (const replica of cluster.replicas) {
          expect(await replica.service.end('SIGTERM')).toBe(0);
          await replica.start();
          await cluster.untilReady();
        }
      }
    });
    expect([...reads, ...writes].filter(isFailed)).toEqual([]);
  });

  test('kill -9 of each replica: reads go on, and only writes that it had in hand fail', async () => {
    const kills: { begin: number; end: number }[] = [];
    const held: number[] = [];
    const heldReads: number[] = [];
    const { reads, writes } = await underLoad('kill -9 of each replica', async () => {
      for (const replica of cluster.replicas) {
        const waited = await whileRequestsWait(async () => {
          const begin = performance.now();
          await replica.service.end('SIGKILL');
          kills.push({ begin, end: performance.now() });
        });
        held.push(...waited.updates);
        heldReads.push(...waited.reads);
        await setTimeout(faultTime);
        await replica.start();
        await cluster.untilReady();
      }
    });
    const failed = writes.filter(isFailed);
    const broken = held.filter((status) => status === 502 || status === noAnswer);
    console.log(
      `kill -9 of each replica: ${failed.length} of ${writes.length} writes failed, and ${broken.length} of ${held.length} that waited for a lock`,
    );
    expect(reads.filter(isFailed)).toEqual([]);
    // Of these too, a third was in the hands of the killed one: the balancer has another one answer.
    expect(heldReads).toEqual(heldReads.map(() => 200));
    // Each was under way as a replica went, or was sent to it before the balancer saw that.
    const isOfKill = ({ sentAt, ms }: PacedOutcome) =>
      kills.some(({ begin, end }) => sentAt < end + noticeTime && begin < sentAt + ms);
    expect({ kills, failed: failed.filter((outcome) => !isOfKill(outcome)) }).toEqual({ kills, failed: [] });
    // Those that the killed replica had in hand fail, those of the others are done.
    expect(broken.length).toBeGreaterThan(0);
    expect(held.length - broken.length).toBeGreaterThan(0);
    expect(held.filter((status) => status !== 200)).toHaveLength(broken.length);
  });

  test('Redis frozen, killed, empty again and flushed: no request fails', async () => {
    const { redis } = cluster;
    const { reads, writes } = await underLoad('faults of Redis', async () => {
      redis.freeze();
      await setTimeout(faultTime);
      redis.thaw();
      await setTimeout(faultTime);
      await redis.kill();
      await setTimeout(faultTime);
      await redis.start();
      await setTimeout(faultTime);
      await redis.command('FLUSHALL');
      await redis.command('SCRIPT', 'FLUSH');
    });
    expect([...reads, ...writes].filter(isFailed)).toEqual([]);
  });

  // The last, as the primary does not come back.
  test('the primary killed -9 and the standby promoted: writes are 503 meanwhile and resume, and none is lost', async () => {
    const { postgres, replicas } = cluster;
    const pids = replicas.map(({ service }) => service.pid);
    let [killed, promoted, resumed] = [0, 0, 0];
    const { reads, writes } = await underLoad('failover', async ({ acknowledged }) => {
      await setTimeout(1_000);
      await postgres.primary.kill();
      killed = performance.now();
      await setTimeout(faultTime);
      promoted = performance.now();
      await postgres.promote();
      const before = acknowledged();
      await expect.poll(() => acknowledged() - before, { timeout: 30_000, interval: 20 }).toBeGreaterThan(0);
      resumed = performance.now();
      console.log(`failover: writes again ${Math.round(resumed - promoted)} ms after the promotion`);
      await cluster.untilReady();
      await setTimeout(settleTime + 2_000);
    });
    // What was under way as the primary went may have been acknowledged in that moment.
    const sentMeanwhile = writes.filter(({ sentAt, ms }) => sentAt > killed && sentAt + ms < promoted);
    expect(new Set(sentMeanwhile.map(({ status }) => status))).toEqual(new Set([503]));
    const all = [...reads, ...writes];
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200, 201, 503]));
    expect(all.filter(({ status, retryAfter }) => status === 503 && retryAfter === null)).toEqual([]);
    // All writes after the promotion was found out are done, by the same processes.
    const later = writes.filter(({ sentAt }) => sentAt > resumed + settleTime);
    expect(later.length).toBeGreaterThan(50);
    expect(later.filter(isFailed)).toEqual([]);
    expect(replicas.map(({ service }) => service.pid)).toEqual(pids);
    expect(replicas.every(({ service }) => service.running)).toBe(true);
  });

  /** Has updates and reads wait for a lock, spread over the replicas, while something happens; their statuses. */
  async function whileRequestsWait(happen: () => Promise<void>): Promise<{ updates: number[]; reads: number[] }> {
    const { client, db } = cluster;
    const { token } = await createTenant(db);
    const query = encodeURIComponent('{ viewer { items(first: 1) { nodes { id } } } }');
    const statusOf = (answer: Promise<{ status: number }>) =>
      answer.then(
        ({ status }) => status,
        () => noAnswer,
      );
    const { body } = await client.rest('POST', '/product_tags', { token, body: { name_en: 'Waiting' } });
    const waiting = await db.transaction().execute(async (transaction) => {
      await transaction.selectFrom('productTags').select('id').where('id', '=', body.id).forUpdate().execute();
      await sql`lock table items in access exclusive mode`.execute(transaction);
      const update = { token, body: { name_en: 'Waited' } };
      const updates = Array.from({ length: heldRequests }, () =>
        statusOf(client.rest('PUT', `/product_tags/${body.id}`, update)),
      );
      const reads = Array.from({ length: heldRequests }, () =>
        statusOf(client.fetch('GET', `/graphql?query=${query}`, { token })),
      );
      await setTimeout(500);
      await happen();
      // The balancer has the reads asked again while they still wait.
      await setTimeout(200);
      return { updates, reads };
    });
    return { updates: await Promise.all(waiting.updates), reads: await Promise.all(waiting.reads) };
  }

  /** Stages a fault under load; whatever it is, no acknowledged write may be lost. */
  async function underLoad(name: string, stageFault: (load: MixedLoad) => Promise<void>) {
    const begin = performance.now();
    const load = await startMixedLoad(cluster);
    await setTimeout(1_000);
    await stageFault(load);
    await setTimeout(1_000);
    const { reads, writes } = await load.stop();
    const all = [...reads, ...writes];
    const seconds = (performance.now() - begin) / 1_000;
    const rate = Math.round(all.length / seconds);
    const lost = await load.findLost();
    console.log(
      `${name}: ${rate} requests/s, ${figuresOf(all)}; ${load.acknowledged()} writes acknowledged, ${lost.length} lost`,
    );
    expect(rate).toBeGreaterThan(100);
    expect(lost).toEqual([]);
    return { reads, writes };
  }
});

function isFailed({ status }: PacedOutcome): boolean {
  return status < 200 || status > 299;
}

/** Waits until a replica shows a change. */
async function untilSeen(url: string, change: number): Promise<void> {
  for (;;) {
    const response = await fetch(`${url}/partner_portal/v1/services`);
    expect(response.status).toBe(200);
    if (Number(/"name_en":"Change (\d+)"/.exec(await response.text())?.[1] ?? 0) >= change) return;
    await setTimeout(5);
  }
}
