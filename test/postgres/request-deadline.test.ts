import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { envToConfig } from '../../src/app/config.ts';
import type { Tables } from '../../src/domain/tables.ts';
import { RequestScope, runInScope } from '../../src/kernel/request/scope.ts';
import { type Connection, connect } from '../../src/platform/database/connect.ts';
import { createLog } from '../../src/platform/observability/log.ts';
import { copyTemplate } from '../support/app.ts';

const partner = 1;

let connection: Connection<Tables>;
const cleanup = new AsyncDisposableStack();
beforeAll(async () => {
  const { env } = cleanup.use(await copyTemplate());
  // A partner has half of the connections: one.
  connection = await connect<Tables>(envToConfig({ ...env, DATABASE_POOL_SIZE: '2' }), createLog('silent'));
  cleanup.defer(connection.close);
});
afterAll(() => cleanup.disposeAsync());
beforeEach(async () => {
  await sql`drop table if exists notes`.execute(connection.db);
  await sql`create table notes (text text)`.execute(connection.db);
});

/** Runs work as a request of the partner that has so many ms left for the database. */
function request<Result>(ms: number, work: () => Promise<Result>): Promise<Result> {
  const scope = new RequestScope('test', 'en');
  scope.partner = partner;
  scope.deadline = performance.now() + ms;
  return runInScope(scope, work);
}

const insert = (text: string) => sql`insert into notes values (${text})`;

test('a transaction whose time ends between two statements is rolled back, and its connection is not used again', async () => {
  const { db } = connection;
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
  const { db } = connection;
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
