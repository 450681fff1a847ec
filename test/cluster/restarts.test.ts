import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GatewayCluster, programs, startGatewayCluster } from '../support/gateway-cluster.ts';
import { figuresOf } from '../support/load.ts';
import { startMixedLoad } from '../support/mixed-load.ts';
import type { PacedOutcome } from '../support/paced-load.ts';
import { usageOf } from '../support/process-usage.ts';
import { lacks } from '../support/programs.ts';
import { createTenant } from '../support/tenant.ts';

const rollingRestarts = 10;

/** Updates, and reads, that wait for a lock as a replica is killed. */
const heldRequests = 9;

/** The balancer's answer for a server that went is 502, or the end of a connection that had requests before. */
const noAnswer = 0;

/** How long a fault lasts, in ms. */
const faultTime = 2_000;

/** How long the balancer may take to see the end of a connection, in ms, on a machine that has other things to do. */
const noticeTime = 200;

describe.skipIf(lacks(...programs))('under a mixed load', () => {
  let cluster: GatewayCluster;
  beforeAll(async () => {
    cluster = await startGatewayCluster();
  });
  afterAll(() => cluster[Symbol.asyncDispose]());

  test(`${rollingRestarts} rolling restarts by SIGTERM: no request fails`, async () => {
    const { reads, writes } = await underLoad('rolling restarts', async () => {
      for (let restart = 0; restart < rollingRestarts; restart += 1) {
        for (const replica of cluster.replicas) {
          expect(await replica.end('SIGTERM')).toBe(0);
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
          await replica.end('SIGKILL');
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
  async function underLoad(name: string, stageFault: () => Promise<void>) {
    const pids = () => cluster.replicas.map(({ pid }) => pid ?? 0);
    const pidsBefore = pids();
    const before = usageOf(pidsBefore);
    const begin = performance.now();
    const load = await startMixedLoad(cluster);
    await setTimeout(1_000);
    await stageFault();
    await setTimeout(1_000);
    const { reads, writes } = await load.stop();
    const all = [...reads, ...writes];
    const seconds = (performance.now() - begin) / 1_000;
    const rate = Math.round(all.length / seconds);
    const after = usageOf(pids());
    if (before !== undefined && after !== undefined) {
      const cpu = ((after.cpu - before.cpu) / seconds).toFixed(2);
      const isSame = pids().join() === pidsBefore.join();
      console.log(
        `${name}: replicas hold ${after.rss.join(', ')} MB${isSame ? `, and took ${cpu} processors together` : ''}`,
      );
    }
    const lost = await load.findLost();
    console.log(
      `${name}: ${rate} requests/s, ${figuresOf(all)}; ${load.acknowledged()} writes acknowledged, ${lost.length} lost`,
    );
    expect(rate).toBeGreaterThan(200);
    expect(lost).toEqual([]);
    return { reads, writes };
  }
});

function isFailed({ status }: PacedOutcome): boolean {
  return status < 200 || status > 299;
}
