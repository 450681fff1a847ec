import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { envToConfig } from '../../src/app/config.ts';
import type { Tables } from '../../src/domain/tables.ts';
import { RequestScope, runInScope } from '../../src/kernel/request/scope.ts';
import { connect } from '../../src/platform/database/connect.ts';
import { together } from '../../src/platform/database/statement.ts';
import { createLog } from '../../src/platform/observability/log.ts';
import { copyTemplate, use } from '../support/app.ts';

const { env } = use(await copyTemplate());
// A partner has half of the connections: one.
const config = envToConfig({ ...env, DATABASE_POOL_SIZE: '2' });
const { db, close } = await connect<Tables>(config, createLog('silent'));
afterAll(close);

/** Runs work as a request of the partner that has so many ms left for the database. */
function request<Result>(ms: number, work: () => Promise<Result>): Promise<Result> {
  const scope = Object.assign(new RequestScope('test', 'en'), { partner: 1, deadline: performance.now() + ms });
  return runInScope(scope, work);
}

test('a transaction whose time ends between two statements is rolled back, and its connection is not used again', async () => {
  await sql`create table notes (text text)`.execute(db);
  const insert = (text: string) => sql`insert into notes values (${text})`;
  const late = request(100, () =>
    db.transaction().execute(async (transaction) => {
      await insert('late').execute(transaction);
      await setTimeout(200);
      await insert('later').execute(transaction);
    }),
  );
  await expect(late).rejects.toThrow();
  await request(5_000, () => db.transaction().execute((transaction) => insert('next').execute(transaction)));
  expect((await sql`select text from notes`.execute(db)).rows).toEqual([{ text: 'next' }]);
});

test('a read that waits for a connection with others waits no longer than its own deadline', async () => {
  const read = () => db.selectFrom('countries').select('id').where('id', '=', 682).execute();
  const held = Promise.withResolvers<void>();
  const free = Promise.withResolvers<void>();
  const holder = request(5_000, () =>
    db.transaction().execute(async (transaction) => {
      await sql`select 1`.execute(transaction);
      held.resolve();
      await free.promise;
    }),
  );
  await held.promise;
  const younger = request(4_000, read);
  const older = request(200, read);
  await expect(Promise.race([younger, older])).rejects.toThrow();
  free.resolve();
  await holder;
  expect(await younger).toEqual([{ id: 682 }]);
});

test('an error that ends one connection leaves the others', async () => {
  const raise = () => sql`do $$ begin raise exception 'full' using errcode = 'disk_full'; end $$`.compile(db);
  const held = Promise.withResolvers<void>();
  const pid = async (transaction: typeof db) =>
    (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(transaction)).rows[0]?.pid;
  const other = db.transaction().execute(async (transaction) => {
    const own = await pid(transaction);
    await held.promise;
    return own;
  });
  const failed = db.transaction().execute((transaction) => together(transaction, [raise, raise]));
  await expect(failed).rejects.toThrow('full');
  held.resolve();
  const kept = await other;
  // The connection of the failed transaction is gone, so the next one is the other or new.
  const next = await Promise.all([1, 2].map(() => db.transaction().execute(pid)));
  expect(next).toContain(kept);
});
