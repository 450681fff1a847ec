import { setTimeout } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { envToConfig } from '../../src/app/config.ts';
import type { Database, Tables } from '../../src/domain/tables.ts';
import { currentScope, RequestScope, runInScope, type SentStatement } from '../../src/kernel/request/scope.ts';
import { connect } from '../../src/platform/database/connect.ts';
import { pipeline } from '../../src/platform/database/queries.ts';
import { retryRead } from '../../src/platform/database/transaction.ts';
import { createLog } from '../../src/platform/observability/log.ts';
import { recordStatement } from '../../src/platform/observability/observe.ts';
import { copyTemplate, openDatabase, use } from '../support/test-app.ts';

const { env } = use(await copyTemplate());
// A company's share is half of the connections: one.
const config = envToConfig({ ...env, DATABASE_POOL_SIZE: '2' });
const reported: SentStatement[] = [];
const { db, close } = await connect<Tables>(config, createLog('silent'), {
  onStatement(statement) {
    reported.push(statement);
    recordStatement(statement);
  },
});
afterAll(close);
const other = use(await openDatabase(env));

const readRows = async <Row>(connection: Database, query: RawBuilder<Row>) =>
  (await retryRead(() => query.execute(connection))).rows;
const readOne = (connection: Database) => readRows(connection, sql`select ${7}::integer as id`);

const getPid = async (connection: Database) =>
  (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(connection)).rows[0]?.pid;

/** Runs work as a request of company 7 with this much database time left, in ms. */
function request<Result>(ms: number, work: () => Promise<Result>): Promise<Result> {
  const scope = Object.assign(new RequestScope({}, ''), {
    company: 7,
    deadline: performance.now() + ms,
  });
  return runInScope(scope, work);
}

const read = () => readOne(db);

/** Runs work while the connection of company 7 is in use. */
async function withoutConnection<Result>(work: () => Promise<Result>): Promise<Result> {
  const held = Promise.withResolvers<void>();
  const free = Promise.withResolvers<void>();
  const holder = request(60_000, () =>
    db.transaction().execute(async (transaction) => {
      await readOne(transaction);
      held.resolve();
      await free.promise;
    }),
  );
  await held.promise;
  try {
    return await work();
  } finally {
    free.resolve();
    await holder;
  }
}

test('a read waits for a connection until its own deadline', async () => {
  const { younger } = await withoutConnection(async () => {
    const younger = request(60_000, read);
    const older = request(200, read);
    await expect(Promise.race([younger, older])).rejects.toThrow();
    return { younger };
  });
  expect(await younger).toEqual([{ id: 7 }]);
});

test('a read does not fail with earlier reads that wait for a connection', async () => {
  const { younger } = await withoutConnection(async () => {
    const older = expect(request(200, read)).rejects.toThrow();
    // The wait of the older one has begun.
    await setTimeout(50);
    const younger = request(60_000, read);
    await Promise.all([older, Promise.race([younger, older])]);
    return { younger };
  });
  expect(await younger).toEqual([{ id: 7 }]);
});

test('the server ends a statement whose connection was closed at the deadline', async () => {
  const late = request(2_000, () =>
    db.transaction().execute(async (transaction) => {
      // Else this timeout would end it.
      await sql`set local statement_timeout = 0`.execute(transaction);
      return sql`select count(*) from generate_series(1, 2_000_000_000)`.execute(transaction);
    }),
  );
  await expect(late).rejects.toThrow();
  const listComputing = async () =>
    (
      await sql`select pid from pg_stat_activity where query like '%generate_series(1, 2_000_000_000)%' and state = 'active'
      and pid <> pg_backend_pid()`.execute(other.db)
    ).rows;
  await expect.poll(listComputing).toEqual([]);
});

test('a read does not wait for slower statements or other companies', async () => {
  await using wide = await openDatabase({ ...env, DATABASE_POOL_SIZE: '8' });
  const wait = (connection: Database, key: number) =>
    readRows(connection, sql`select pg_advisory_xact_lock(${key}::integer)`);
  const as = <Result>(company: number, work: () => Promise<Result>) =>
    runInScope(Object.assign(new RequestScope({}, ''), { company }), work);
  await db.transaction().execute(async (transaction) => {
    await wait(transaction, 1);
    let isWaiting = true;
    const slow = as(7, () => wait(wide.db, 1)).finally(() => {
      isWaiting = false;
    });
    await Promise.all([as(7, () => readOne(wide.db)), as(8, () => wait(wide.db, 2))]);
    expect(isWaiting).toBe(true);
    return { slow };
  });
});

describe('after a table has changed', async () => {
  await sql`create table changing as select 1 as id`.execute(other.db);
  let type = 0;
  const change = () => {
    type += 1;
    return sql`alter table changing alter column id type numeric(${sql.lit(type)})`.execute(other.db);
  };
  const isPrepared = async (connection = db) => {
    const [row] = await readRows(
      connection,
      sql<{ prepared: boolean }>`select changing.*, exists (
        select from pg_prepared_statements where statement like '%from changing where id =%'
      ) as prepared from changing where id = ${1}::numeric`,
    );
    return row?.prepared;
  };

  test('a read is retried and prepared with another text, because poolers keep the old plan', async () => {
    expect(await isPrepared()).toBe(true);
    await change();
    expect(await isPrepared()).toBe(true);
    const { rows } = await sql<{ statement: string }>`
      select statement from pg_prepared_statements where statement like '%from changing where id =%'`.execute(db);
    expect(rows).toEqual([{ statement: expect.stringMatching(/\/\* 1 \*\/$/) }]);
  });

  test('a transaction on an older connection continues, and keeps newer connections', async () => {
    const began = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const late = db.transaction().execute(async (transaction) => {
      expect(await isPrepared(transaction)).toBe(true);
      await sql`commit and chain`.execute(transaction);
      began.resolve();
      await goOn.promise;
      return isPrepared(transaction);
    });
    await began.promise;
    expect(await isPrepared()).toBe(true);
    await change();
    expect(await isPrepared()).toBe(true);
    const opened = await getPid(db);
    goOn.resolve();
    expect(await late).toBe(true);
    expect(await getPid(db)).toBe(opened);
  });
});

test.each([
  [
    'an error that ends a connection leaves the others',
    () => {
      const raise = sql`do $$ begin raise exception 'full' using errcode = 'disk_full'; end $$`;
      return db.transaction().execute((transaction) => pipeline(transaction, [raise, raise]));
    },
  ],
  ['a late statement leaves the other connections', () => request(1_500, () => sql`select pg_sleep(4)`.execute(db))],
])('%s', async (_name, fail) => {
  const held = Promise.withResolvers<void>();
  const other = db.transaction().execute(async (transaction) => {
    const own = await getPid(transaction);
    await held.promise;
    return own;
  });
  await expect(fail()).rejects.toThrow();
  held.resolve();
  const kept = await other;
  // The failed statement's connection is closed, so the next statement uses another or a new one.
  const next = await Promise.all([1, 2].map(() => db.transaction().execute(getPid)));
  expect(next).toContain(kept);
});

test('a transaction whose deadline passes between statements is rolled back, and its connection closed', async () => {
  const pids: (number | undefined)[] = [];
  const late = request(60_000, () =>
    db.transaction().execute(async (transaction) => {
      pids.push(await getPid(transaction));
      await sql`create table late (id integer)`.execute(transaction);
      Object.assign(currentScope() as RequestScope, { deadline: performance.now() });
      await getPid(transaction);
    }),
  );
  await expect(late).rejects.toThrow('in time');
  const next = await Promise.all([1, 2].map(() => db.transaction().execute(getPid)));
  expect(next).not.toContain(pids[0]);
  await expect(sql`select from late`.execute(other.db)).rejects.toThrow('does not exist');
});

test('a connection that opens after the deadline serves the next request', async () => {
  const free = Promise.withResolvers<void>();
  const held = [1, 2].map(() => {
    const started = Promise.withResolvers<number | undefined>();
    const ended = db.transaction().execute(async (transaction) => {
      started.resolve(await getPid(transaction));
      await free.promise;
    });
    return { started: started.promise, ended };
  });
  const pids = await Promise.all(held.map(({ started }) => started));
  await expect(request(200, () => getPid(db))).rejects.toThrow('No connection');
  free.resolve();
  await Promise.all(held.map(({ ended }) => ended));
  const next = await Promise.all([1, 2].map(() => db.transaction().execute(getPid)));
  expect(next.toSorted()).toEqual(pids.toSorted());
});

test('statement times exclude waits and other statements of a pipeline', async () => {
  const sleep = (seconds: number) => sql`select pg_sleep(${seconds})`;
  const since = (start: number) => performance.now() - start;
  const waiting = performance.now();
  const { waited } = await withoutConnection(async () => {
    reported.splice(0);
    const late = request(60_000, read);
    await setTimeout(500);
    return { waited: { ms: since(waiting), late } };
  });
  await waited.late;
  const total = since(waiting);
  expect(reported.find(({ sql }) => sql.startsWith('select $1'))?.duration).toBeLessThanOrEqual(total - waited.ms + 1);

  await request(60_000, async () => {
    reported.splice(0);
    const start = performance.now();
    await db.transaction().execute((transaction) => pipeline(transaction, [sleep(0.2), sleep(0.3), sleep(0)]));
    expect(reported.map(({ sql }) => sql.split(' ')[0])).toEqual(['begin', 'select', 'select', 'select', 'commit']);
    const sum = reported.reduce((total, { duration }) => total + duration, 0);
    expect(sum).toBeGreaterThanOrEqual(495);
    expect(sum).toBeLessThanOrEqual(since(start) + 1);
  });
});

test('concurrent statements count once in the request time', async () => {
  const start = performance.now();
  const periods = await request(60_000, async () => {
    await Promise.all([0.1, 0.3].map((seconds) => sql`select pg_sleep(${seconds}), 1`.execute(db)));
    return currentScope()?.databasePeriods ?? [];
  });
  const sqlMs = periods.reduce((total, { start, end }) => total + end - start, 0);
  expect(sqlMs).toBeGreaterThanOrEqual(295);
  expect(sqlMs).toBeLessThanOrEqual(performance.now() - start);
});
