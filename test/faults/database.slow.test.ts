import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startPostgres } from '../support/postgres-server.ts';
import { createDatabase } from '../support/postgres-template.ts';
import { startService } from '../support/process.ts';
import { createRandom } from '../support/random.ts';
import { formatFigures, type Outcome, startLoad } from '../support/request-load.ts';
import { TagLedger } from '../support/tag-ledger.ts';
import { createTenant } from '../support/tenant.ts';
import { openDatabase, use } from '../support/test-app.ts';

const random = createRandom();

const writers = 8;
const readers = 4;

const server = use(await startPostgres({ durable: true }));
const DATABASE_URL = await createDatabase(server.url, 'gateway');
const { db } = use(await openDatabase({ DATABASE_URL }));
const tenant = await createTenant(db, { products: 12 });
const service = use(await startService({ DATABASE_URL, RATE_LIMIT: 'off', LOG_LEVEL: 'silent' }));

test.each([
  ['kill -9', 5, () => server.kill()],
  ['restarts', 3, () => server.shutDown()],
] as const)('%s of PostgreSQL, %i times', async (name, times, stop) => {
  await underLoad(`${name} of PostgreSQL`, async (untilWriting) => {
    for (let time = 0; time < times; time++) {
      await stop();
      await setTimeout(500 * random());
      await server.start();
      await untilWriting();
      await setTimeout(500 * random());
    }
  });
});

test('while PostgreSQL is frozen, requests get 503', async () => {
  await underLoad('PostgreSQL frozen', async (untilWriting, { reads, writes }) => {
    server.freeze();
    await expect.poll(() => countUnavailable(writes)).toBe(writers);
    await expect.poll(() => countUnavailable(reads)).toBe(readers);
    server.thaw();
    await untilWriting();
  });
});

const countUnavailable = (outcomes: Outcome[]) =>
  new Set(outcomes.filter(({ status }) => status === 503).map(({ worker }) => worker)).size;

test('while PostgreSQL is frozen, reference data is served after the token lookup fails', async () => {
  const { client } = service;
  server.freeze();
  const reads = Array.from({ length: 40 }, (_, index) =>
    client.graphql(`query Q${index} { cities { id name country { dialCode } } }`, {}, tenant),
  );
  const statuses = (await Promise.all(reads)).map(({ status }) => status);
  server.thaw();
  expect(new Set(statuses)).toEqual(new Set([200]));
});

/** Stages a fault under load. Every request succeeds or gets 503, and no acknowledged write is lost. */
async function underLoad(
  name: string,
  stageFault: (untilWriting: () => Promise<void>, outcomes: Record<'reads' | 'writes', Outcome[]>) => Promise<void>,
): Promise<void> {
  const { client } = service;
  const ledger = new TagLedger(client, tenant);
  const untilWriting = async () => {
    const before = ledger.acknowledged;
    await expect.poll(() => ledger.acknowledged).toBeGreaterThan(before + writers);
  };
  const writing = startLoad(writers, (worker) => ledger.write(worker));
  const reading = startLoad(readers, () =>
    client.graphql('{ items { nodes { id tags { nodes { id } } } } }', {}, tenant),
  );
  const probing = startLoad(1, async () => {
    await setTimeout(100);
    return client.fetch('GET', '/readyz');
  });
  await untilWriting();
  await stageFault(untilWriting, { reads: reading.outcomes, writes: writing.outcomes });
  await untilWriting();
  const [writes, reads, probes] = await Promise.all([writing.stop(), reading.stop(), probing.stop()]);
  const lost = await ledger.findLost(db);
  console.log(
    `${name}: ${formatFigures([...reads, ...writes])}; ${ledger.acknowledged} acknowledged, ${lost.length} lost`,
  );

  expect(lost).toEqual([]);
  expect(service.running).toBe(true);
  const all = [...reads, ...writes, ...probes];
  expect(all.filter(({ status }) => ![200, 201, 503].includes(status))).toEqual([]);
  const unavailable = [...reads, ...writes].filter(({ status }) => status === 503);
  expect(unavailable.filter(({ retryAfter }) => !/^[1-9]\d*$/.test(retryAfter ?? ''))).toEqual([]);
}
