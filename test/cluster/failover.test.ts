import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GatewayCluster, programs, startGatewayCluster } from '../support/gateway-cluster.ts';
import { figuresOf } from '../support/load.ts';
import { startMixedLoad } from '../support/mixed-load.ts';
import { lacks } from '../support/programs.ts';

/** How long there is no primary, in ms. */
const outage = 3_000;

/** How long it may take, in ms, until every replica has found out. */
const settleTime = 5_000;

describe.skipIf(lacks(...programs))('the primary killed -9 and the standby promoted', () => {
  let cluster: GatewayCluster;
  beforeAll(async () => {
    cluster = await startGatewayCluster();
  });
  afterAll(() => cluster[Symbol.asyncDispose]());

  test('writes are 503 meanwhile and resume without a restart, and none that was acknowledged is lost', async () => {
    const { postgres, replicas } = cluster;
    const pids = replicas.map(({ pid }) => pid);
    const load = await startMixedLoad(cluster);
    await setTimeout(2_000);
    await postgres.primary.kill();
    const killed = performance.now();
    const before = load.acknowledged();
    await setTimeout(outage);
    const during = load.acknowledged() - before;
    await postgres.promote();
    const promoted = performance.now();
    await expect
      .poll(() => load.acknowledged() - before - during, { timeout: 30_000, interval: 20 })
      .toBeGreaterThan(0);
    const resumed = performance.now();
    await cluster.untilReady();
    await setTimeout(settleTime + 2_000);
    const { reads, writes } = await load.stop();
    const lost = await load.findLost();
    console.log(
      `failover: writes again ${Math.round(resumed - promoted)} ms after the promotion; reads: ${figuresOf(reads)}; writes: ${figuresOf(writes)}; ${load.acknowledged()} acknowledged, ${lost.length} lost`,
    );

    expect(lost).toEqual([]);
    // What was under way as the primary went may have been acknowledged in that moment.
    const sentMeanwhile = writes.filter(({ sentAt, ms }) => sentAt > killed && sentAt + ms < promoted);
    expect(new Set(sentMeanwhile.map(({ status }) => status))).toEqual(new Set([503]));
    const statuses = [...reads, ...writes].map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200, 201, 503]));
    expect([...reads, ...writes].filter(({ status, retryAfter }) => status === 503 && retryAfter === null)).toEqual([]);
    // All writes after the promotion was found out are done, by the same processes.
    const later = writes.filter(({ sentAt }) => sentAt > resumed + settleTime).map(({ status }) => status);
    expect(later.length).toBeGreaterThan(50);
    expect(later.filter((status) => status > 299)).toEqual([]);
    expect(replicas.map(({ pid }) => pid)).toEqual(pids);
    expect(replicas.every(({ running }) => running)).toBe(true);
  });
});
