import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GatewayCluster, programs, startGatewayCluster } from '../support/gateway-cluster.ts';
import { lacks } from '../support/programs.ts';

const changes = 20;

/** How old the reference data of a replica may be, in ms. */
const maxAge = 1_000;

describe.skipIf(lacks(...programs))('reference data', () => {
  let cluster: GatewayCluster;
  beforeAll(async () => {
    cluster = await startGatewayCluster();
  });
  afterAll(() => cluster[Symbol.asyncDispose]());

  test(`each of ${changes} changes is seen by all replicas within 1 s`, async () => {
    const ages: number[] = [];
    for (let change = 1; change <= changes; change += 1) {
      await cluster.db.transaction().execute(async (transaction) => {
        await sql`update services set name_en = ${`Change ${change}`} where code = 'dine_in'`.execute(transaction);
      });
      const changed = performance.now();
      await Promise.all(cluster.replicas.map(({ url }) => untilSeen(url, change)));
      ages.push(performance.now() - changed);
    }
    console.log(`${changes} changes seen by all replicas: the slowest in ${Math.round(Math.max(...ages))} ms`);
    expect(ages.filter((age) => age > maxAge)).toEqual([]);
  });
});

/** The change that a replica shows. */
async function changeShownBy(url: string): Promise<number> {
  const response = await fetch(`${url}/partner_portal/v1/services`);
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}`);
  return Number(/"name_en":"Change (\d+)"/.exec(await response.text())?.[1] ?? 0);
}

async function untilSeen(url: string, change: number): Promise<void> {
  while ((await changeShownBy(url)) < change) await setTimeout(5);
}
