import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GatewayCluster, programs, startGatewayCluster } from '../support/gateway-cluster.ts';
import { lacks } from '../support/programs.ts';

const changes = 20;
const cuts = 20;

/** How old the reference data of a replica may be, in ms: when it hears of changes, and whatever it hears. */
const heardAge = 1_000;
const boundedAge = 5_000;

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
    expect(ages.filter((age) => age > heardAge)).toEqual([]);
  });

  test(`is never older than 5 s, with the connections that listen cut ${cuts} times`, async () => {
    const { db, replicas } = cluster;
    const history = await changeOften(db, 100);
    const watching = replicas.map(({ url }) => watch(url, history));
    const cutOff = new Set<number>();
    for (let cut = 0; cut < cuts; cut += 1) {
      // A connection that was cut shows for a moment.
      const listening = async () => (await listeners(db)).filter((pid) => !cutOff.has(pid));
      await expect.poll(async () => (await listening()).length, { timeout: 10_000 }).toBe(replicas.length);
      await setTimeout(200 * Math.random());
      for (const pid of await listening()) {
        await sql`select pg_terminate_backend(${pid})`.execute(db);
        cutOff.add(pid);
      }
    }
    await setTimeout(boundedAge);
    await history.stop();
    const ages = await Promise.all(watching.map((watcher) => watcher.stop()));
    console.log(
      `${cutOff.size} listening connections cut, ${history.times.length} changes: oldest data served ${ages.map(Math.round).join(', ')} ms`,
    );
    expect(cutOff.size).toBe(cuts * replicas.length);
    expect(ages.filter((age) => age > boundedAge)).toEqual([]);
  });

  test('is never older than 5 s when a change is announced to nobody', async () => {
    const { db, replicas } = cluster;
    const ages: number[] = [];
    for (let change = 100_001; change <= 100_003; change += 1) {
      await db.transaction().execute(async (transaction) => {
        // Neither triggers nor what they announce.
        await sql`set local session_replication_role = replica`.execute(transaction);
        await sql`update services set name_en = ${`Change ${change}`} where code = 'dine_in'`.execute(transaction);
        await sql`update reference_version set version = version + 1`.execute(transaction);
      });
      const changed = performance.now();
      await Promise.all(replicas.map(({ url }) => untilSeen(url, change)));
      ages.push(performance.now() - changed);
    }
    console.log(
      `changes that were not announced, seen by all replicas: the slowest in ${Math.round(Math.max(...ages))} ms`,
    );
    expect(ages.filter((age) => age > boundedAge)).toEqual([]);
    // It is the bound that was measured, not a change that was heard of.
    expect(Math.max(...ages)).toBeGreaterThan(heardAge);
  });
});

type Db = GatewayCluster['db'];

/** The change that a replica shows. */
async function changeShownBy(url: string): Promise<number> {
  const response = await fetch(`${url}/partner_portal/v1/services`);
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}`);
  return Number(/"name_en":"Change (\d+)"/.exec(await response.text())?.[1] ?? 0);
}

async function untilSeen(url: string, change: number): Promise<void> {
  while ((await changeShownBy(url)) < change) await setTimeout(5);
}

/** Changes the data every so many ms; `times` has when each change, from 1 on, was there to be seen. */
async function changeOften(db: Db, pause: number) {
  const times: number[] = [];
  let isStopped = false;
  const first = changes + 1;
  const run = async () => {
    while (!isStopped) {
      const name = `Change ${first + times.length}`;
      await sql`update services set name_en = ${name} where code = 'dine_in'`.execute(db);
      times.push(performance.now());
      await setTimeout(pause);
    }
  };
  const running = run();
  return {
    first,
    times,
    async stop() {
      isStopped = true;
      await running;
    },
  };
}

/** Asks a replica all the time; resolves in the end to how old the oldest data was that it served, in ms. */
function watch(url: string, { first, times }: { first: number; times: number[] }) {
  let oldest = 0;
  let isStopped = false;
  const run = async () => {
    while (!isStopped) {
      const asked = performance.now();
      // When the first change was there that it does not show.
      const missed = times[Math.max(0, (await changeShownBy(url)) + 1 - first)];
      if (missed !== undefined && missed < asked) oldest = Math.max(oldest, asked - missed);
      await setTimeout(10);
    }
    return oldest;
  };
  const running = run();
  return {
    stop() {
      isStopped = true;
      return running;
    },
  };
}

/** The backends of the connections that listen. */
async function listeners(db: Db): Promise<number[]> {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity
    where application_name = 'partner-gateway listener' and query like 'listen %'`.execute(db);
  return rows.map(({ pid }) => pid);
}
