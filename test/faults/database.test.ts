import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openDatabase, use } from '../support/app.ts';
import { figuresOf, startLoad } from '../support/load.ts';
import { startPostgres } from '../support/postgres-server.ts';
import { createDatabase } from '../support/postgres-template.ts';
import { startService } from '../support/process.ts';
import { TagLedger } from '../support/tag-ledger.ts';
import { createTenant } from '../support/tenant.ts';

const writers = 8;
const readers = 4;
const terminations = 50;

/** What no request may take longer than, in ms: twice the time that it has for the database. */
const answerLimit = 10_000;

/** How soon after a fault the service must write again, in ms. */
const recovery = { timeout: 10_000, interval: 50 };

const server = use(await startPostgres({ durable: true }));
const DATABASE_URL = await createDatabase(server.url, 'gateway');
const { db } = use(await openDatabase({ DATABASE_URL }));
const tenant = await createTenant(db, { products: 12 });
const service = use(await startService({ DATABASE_URL, RATE_LIMIT: 'off', LOG_LEVEL: 'silent' }));

test(`${terminations} backends terminated, idle and inside transactions`, async () => {
  const { reads, writes } = await underLoad('terminated backends', async () => {
    // Idle, and inside a transaction, whose first statement began with it.
    for (const state of [sql`state = 'idle'`, sql`xact_start < query_start`]) {
      for (let terminated = 0; terminated < terminations / 2; await setTimeout(50)) {
        terminated += await terminateBackend(state);
      }
    }
  });
  // A read is run again, once: few meet a second termination. A write is not, as nobody knows how far it came.
  expect(reads.filter(({ status }) => status !== 200).length).toBeLessThan(3 * readers);
  expect(writes.some(({ status }) => status === 503)).toBe(true);
});

test.each([
  ['kill -9', 5, () => server.kill()],
  ['restarts', 3, () => server.shutDown()],
] as const)('%s of PostgreSQL, %i times', async (name, times, stop) => {
  await underLoad(`${name} of PostgreSQL`, async (untilWriting) => {
    for (let time = 0; time < times; time++) {
      await stop();
      await setTimeout(500 * Math.random());
      await server.start();
      await untilWriting();
      await setTimeout(500 * Math.random());
    }
  });
});

test('PostgreSQL frozen for 10 s', async () => {
  const { reads, writes } = await underLoad('PostgreSQL frozen', async (untilWriting) => {
    server.freeze();
    await setTimeout(10_000);
    server.thaw();
    await untilWriting();
  });
  for (const outcomes of [reads, writes]) expect(outcomes.some(({ status }) => status === 503)).toBe(true);
});

/** Stages a fault under load. Every request succeeds or gets 503 in time, and no acknowledged write is lost. */
async function underLoad(name: string, stageFault: (untilWriting: () => Promise<void>) => Promise<void>) {
  const { client } = service;
  const ledger = new TagLedger(client, tenant);
  const untilWriting = async () => {
    const before = ledger.acknowledged;
    await expect.poll(() => ledger.acknowledged, recovery).toBeGreaterThan(before + writers);
  };
  const writing = startLoad(writers, (worker) => ledger.write(worker));
  const reading = startLoad(readers, () =>
    client.graphql('{ viewer { items { nodes { id tags { nodes { id } } } } } }', {}, tenant),
  );
  const probing = startLoad(1, async () => {
    await setTimeout(100);
    return client.fetch('GET', '/readyz');
  });
  await untilWriting();
  await stageFault(untilWriting);
  await untilWriting();
  const [writes, reads, probes] = await Promise.all([writing.stop(), reading.stop(), probing.stop()]);
  const lost = await ledger.findLost(db);
  console.log(`${name}: ${figuresOf([...reads, ...writes])}; ${ledger.acknowledged} acknowledged, ${lost.length} lost`);

  expect(lost).toEqual([]);
  expect(service.running).toBe(true);
  const all = [...reads, ...writes, ...probes];
  expect(all.filter(({ status, ms }) => ms > answerLimit || ![200, 201, 503].includes(status))).toEqual([]);
  const unavailable = [...reads, ...writes].filter(({ status }) => status === 503);
  expect(unavailable.filter(({ retryAfter }) => !/^[1-9]\d*$/.test(retryAfter ?? ''))).toEqual([]);
  return { reads, writes };
}

/** Terminates a connection of the service that is in such a state; returns how many there were, 1 or 0. */
async function terminateBackend(state: ReturnType<typeof sql>): Promise<number> {
  const { rows } = await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and ${state}
    order by random() limit 1`.execute(db);
  return rows.length;
}
