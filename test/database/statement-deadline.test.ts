import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { envToConfig } from '../../src/app/config.ts';
import type { Database, Tables } from '../../src/domain/tables.ts';
import { RequestScope, runInScope } from '../../src/kernel/request/scope.ts';
import { connect } from '../../src/platform/database/connect.ts';
import { statement, together } from '../../src/platform/database/statement.ts';
import { createLog } from '../../src/platform/observability/log.ts';
import { copyTemplate, use } from '../support/test-app.ts';

const { env } = use(await copyTemplate());
// A company gets half of the connections: one.
const config = envToConfig({ ...env, DATABASE_POOL_SIZE: '2' });
const { db, close } = await connect<Tables>(config, createLog('silent'));
afterAll(close);

const select = (_: Database, { companyId }: { companyId: number }) => sql`select ${companyId}::integer as id`;
const readOne = statement(select, { isRead: true });

const pidOf = async (connection: Database) =>
  (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(connection)).rows[0]?.pid;

/** Runs work as a request with this much database time left, in ms. */
function request<Result>(ms: number, work: () => Promise<Result>): Promise<Result> {
  const scope = Object.assign(new RequestScope('test', 'en'), { deadline: performance.now() + ms });
  return runInScope(scope, work);
}

const read = () => readOne(db, { companyId: 7 });

/** Runs work while the connection of company 7 is in use. */
async function withoutConnection<Result>(work: () => Promise<Result>): Promise<Result> {
  const held = Promise.withResolvers<void>();
  const free = Promise.withResolvers<void>();
  const holder = request(5_000, () =>
    db.transaction().execute(async (transaction) => {
      await readOne(transaction, { companyId: 7 });
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

test('a read that waits for a connection with others waits no longer than its own deadline', async () => {
  const { younger } = await withoutConnection(async () => {
    const younger = request(4_000, read);
    const older = request(200, read);
    await expect(Promise.race([younger, older])).rejects.toThrow();
    return { younger };
  });
  expect(await younger).toEqual([{ id: 7 }]);
});

test('a read after others that wait for a connection does not fail with them', async () => {
  const { younger } = await withoutConnection(async () => {
    const older = expect(request(200, read)).rejects.toThrow();
    // The wait of the older one has begun.
    await setTimeout(50);
    const younger = request(4_000, read);
    await Promise.all([older, Promise.race([younger, older])]);
    return { younger };
  });
  expect(await younger).toEqual([{ id: 7 }]);
});

test.each([
  [
    'an error that ends a connection leaves the others',
    () => {
      const raise = sql`do $$ begin raise exception 'full' using errcode = 'disk_full'; end $$`.compile(db);
      return db.transaction().execute((transaction) => together(transaction, [raise, raise]));
    },
  ],
  ['a late statement leaves the other connections', () => request(1_500, () => sql`select pg_sleep(4)`.execute(db))],
])('%s', async (_name, fail) => {
  const held = Promise.withResolvers<void>();
  const other = db.transaction().execute(async (transaction) => {
    const own = await pidOf(transaction);
    await held.promise;
    return own;
  });
  await expect(fail()).rejects.toThrow();
  held.resolve();
  const kept = await other;
  // The failed statement's connection is closed, so the next statement uses another or a new one.
  const next = await Promise.all([1, 2].map(() => db.transaction().execute(pidOf)));
  expect(next).toContain(kept);
});
