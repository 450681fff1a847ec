import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Database } from '../../src/domain/tables.ts';
import { copyTemplate, openDatabase, use } from '../support/app.ts';
import { type Answer, Client } from '../support/client.ts';
import { type Process, printed, startService } from '../support/process.ts';
import { createTenant } from '../support/tenant.ts';

const poolSize = 2;
const body = { name_en: 'Spicy' };

let service: Process & { url: string };
let client: Client;

const database = use(await copyTemplate());
const direct = use(await openDatabase(database.env));
const tenant = await createTenant(direct.db);
const other = await createTenant(direct.db);

beforeEach(async () => {
  service = await startService({ ...database.env, DATABASE_POOL_SIZE: String(poolSize) });
  client = new Client(service.url);
});
afterEach(async () => {
  expect(service.running).toBe(true);
  await service[Symbol.asyncDispose]();
});

const viewer = () => client.graphql('{ viewer { partner { name } } }', {}, tenant);
const create = (fields = {}, { token } = tenant) =>
  client.rest('POST', '/product_tags', { token, body: { ...body, ...fields } });
const update = (id: number, fields = {}, { token } = tenant) =>
  client.rest('PUT', `/product_tags/${id}`, { token, body: { ...body, ...fields } });

describe('a connection that is lost', () => {
  // Reads wait for this lock, so that they can be caught in the act.
  const whileReadsWait = (work: () => Promise<void>) =>
    direct.db.transaction().execute(async (transaction) => {
      await sql`lock table partners in access exclusive mode`.execute(transaction);
      await work();
    });

  test('has a read run again', async () => {
    let read: ReturnType<typeof viewer> | undefined;
    await whileReadsWait(async () => {
      read = viewer();
      await terminateWaiting();
      await expect.poll(countWaiting).toBe(1);
    });
    expect((await read)?.body).toEqual({ data: { viewer: { partner: { name: tenant.partnerName } } } });
  });

  test('has a read run again only once', async () => {
    await whileReadsWait(async () => {
      const read = viewer();
      await terminateWaiting();
      await terminateWaiting();
      expectUnavailable(await read);
    });
    expect((await viewer()).status).toBe(200);
  });

  test('has no write run again', async () => {
    const { id } = (await create()).body;
    await whileLocked(direct.db, [id], async () => {
      const write = update(id, { name_en: 'Mild' });
      await terminateWaiting();
      expectUnavailable(await write);
      expect(await countWaiting()).toBe(0);
      // The reason, not what failed after it.
      await printed(service, /"code":"57P01".*"msg":"request failed"/);
    });
    expect((await tagOf(id))?.nameEn).toBe('Spicy');
  });
});

// 2 s of waiting for a connection against 3 s for a lock: a busy machine may stretch the one beyond the other.
test('all connections taken by requests that wait is 503 for others, and 409 for those', { retry: 2 }, async () => {
  // A connection each, as half of the pool is the most that a partner has.
  const owners = [tenant, other];
  const ids = (await Promise.all(owners.map((owner) => create({}, owner)))).map((answer) => answer.body.id);
  const updates = () => Promise.all(ids.map((id, index) => update(id, {}, owners[index])));
  await whileLocked(direct.db, ids, async () => {
    const stuck = updates();
    await expect.poll(countWaiting).toBe(poolSize);
    for (const answer of await Promise.all([viewer(), viewer(), create()])) expectUnavailable(answer);
    expect((await stuck).map(({ status }) => status)).toEqual(ids.map(() => 409));
  });
  expect((await updates()).map(({ status }) => status)).toEqual(ids.map(() => 200));
});

test('a server that became a standby is 503 for writes; what was connected to it is not used again', async () => {
  onTestFinished(() => setReadOnly('off'));
  await setReadOnly('on');
  await terminateAll();
  expectUnavailable(await create());
  // All of the pool, connected while the server only reads.
  expect((await Promise.all([viewer(), viewer(), viewer()])).map(({ status }) => status)).toEqual([200, 200, 200]);
  await setReadOnly('off');
  expectUnavailable(await create());
  expect((await create()).status).toBe(201);
});

test.each(['53100', '53200', '58030'])('error %s of the server is 503 and leaves nothing half done', async (code) => {
  await sql`
    create function fail() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file' using errcode = ${sql.lit(code)}; end $$`.execute(direct.db);
  await sql`create trigger fail before insert on product_taggings execute function fail()`.execute(direct.db);
  const before = await countTags();
  const answer = await create({ item_ids: tenant.products });
  await sql`drop function fail cascade`.execute(direct.db);
  expectUnavailable(answer);
  expect(await countTags()).toBe(before);
  expect((await create({ item_ids: tenant.products })).status).toBe(201);
});

function expectUnavailable({ status, headers, body }: Answer<{ code?: string; errors?: unknown[] }>): void {
  expect({ status, retryAfter: headers.get('retry-after') }).toEqual({
    status: 503,
    retryAfter: expect.stringMatching(/^[1-9]\d*$/),
  });
  expect(body).toMatchObject(
    body.errors ? { errors: [{ extensions: { code: 'SERVICE_UNAVAILABLE' } }] } : { code: 'service_unavailable' },
  );
}

async function whileLocked(db: Database, ids: number[], work: () => Promise<void>): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await transaction.selectFrom('productTags').select('id').where('id', 'in', ids).forUpdate().execute();
    await work();
  });
}

const isWaiting = sql`datname = current_database() and wait_event_type = 'Lock'`;

async function countWaiting(): Promise<number> {
  const { rows } = await sql`select pid from pg_stat_activity where ${isWaiting}`.execute(direct.db);
  return rows.length;
}

/** Terminates the backend that waits for a lock, as soon as there is one. */
async function terminateWaiting(): Promise<void> {
  await expect
    .poll(async () => {
      const { rows } =
        await sql`select pg_terminate_backend(pid, 1000) from pg_stat_activity where ${isWaiting}`.execute(direct.db);
      return rows.length;
    })
    .toBe(1);
}

async function terminateAll(): Promise<void> {
  await sql`select pg_terminate_backend(pid, 1000) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`.execute(direct.db);
}

async function setReadOnly(value: 'on' | 'off'): Promise<void> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(direct.db);
  await sql`alter database ${sql.id(rows[0]?.name ?? '')} set default_transaction_read_only = ${sql.raw(value)}`.execute(
    direct.db,
  );
}

function tagOf(id: number) {
  return direct.db.selectFrom('productTags').select('nameEn').where('id', '=', id).executeTakeFirst();
}

async function countTags(): Promise<number> {
  return (await direct.db.selectFrom('productTags').select('id').execute()).length;
}
