import { sql } from 'kysely';
import { afterEach, describe, expect, inject, onTestFinished, test } from 'vitest';
import type { Answer } from '../support/client.ts';
import { holdItems, listWaitingBackends, lockTable, lockTags, untilWaiting } from '../support/locks.ts';
import { createAdmin, expectFailure, printed, startService } from '../support/process.ts';
import { companyRows, surfaces } from '../support/product-tag.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { createTenant, type Tenant } from '../support/tenant.ts';
import { copyTemplate, openDatabase, use } from '../support/test-app.ts';

// Each partner may hold one connection; one is left for lookups of tokens.
const poolSize = 3;
const isPooled = inject('pooler') !== undefined;
const recovery = { timeout: 20_000, interval: 50 };

const database = use(await copyTemplate());
const { db } = use(await openDatabase(database.direct));
const proxy = use(await startTcpProxy(database.env.DATABASE_URL as string));
const env = { ...database.env, DATABASE_URL: proxy.url, DATABASE_POOL_SIZE: String(poolSize) };
const service = use(await startService(env));
const { client } = service;
const tenant = await createTenant(db);
const other = await createTenant(db);

const readPartner = () => client.graphql('{ partner { name } }', {}, tenant);
const create = (fields = {}, { token } = tenant) =>
  client.rest('POST', '/product_tags', { token, body: { name_en: 'Spicy', ...fields } });
const update = (id: number, fields = {}, { token } = tenant) =>
  client.rest('PUT', `/product_tags/${id}`, { token, body: { name_en: 'Mild', ...fields } });
const rows = ({ companyId }: Tenant = tenant) => companyRows(db, companyId);

// After every fault, the same process works again.
afterEach(async () => {
  await proxy.restore();
  await expect.poll(async () => (await create()).status, recovery).toBe(201);
  await expect.poll(async () => (await readPartner()).status, recovery).toBe(200);
  expect(service.running).toBe(true);
});

function expectUnavailable({ status, headers, body }: Answer<{ code?: string; errors?: unknown[] }>): void {
  expect([status, headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^[1-9]\d*$/)]);
  expect(body).toMatchObject(
    body.errors ? { errors: [{ extensions: { code: 'SERVICE_UNAVAILABLE' } }] } : { code: 'service_unavailable' },
  );
  expect(JSON.stringify(body)).not.toMatch(/ECONN|127\.0\.0\.1|Connection/);
}

async function terminateWaiting(): Promise<void> {
  await untilWaiting(db);
  for (const pid of await listWaitingBackends(db)) await sql`select pg_terminate_backend(${pid}, 1000)`.execute(db);
}

describe('after a lost connection', () => {
  test('a read is retried', async () => {
    const { read } = await lockTable(db, 'partners', async () => {
      const read = readPartner();
      await terminateWaiting();
      await untilWaiting(db);
      return { read };
    });
    expect((await read).body).toEqual({ data: { partner: { name: tenant.partnerName } } });
  });

  test('a read is retried only once', async () => {
    await lockTable(db, 'partners', async () => {
      const read = readPartner();
      await terminateWaiting();
      await terminateWaiting();
      expectUnavailable(await read);
    });
  });

  test.each([
    ['the database ends it', terminateWaiting, /"code":"57P01".*"msg":"request failed"/],
    ['the network breaks', () => untilWaiting(db).then(proxy.cut), /Connection.*"msg":"request failed"/],
  ])('a write is not retried when %s: it is 503 and writes nothing', async (_how, lose, reason) => {
    const { id } = await surfaces.REST.create(client, { name_en: 'Spicy', item_ids: tenant.products }, tenant);
    const before = await rows();
    const since = service.stdout.length;
    await lockTags(db, [id], async () => {
      const write = update(id, { item_ids: [] });
      await lose();
      expectUnavailable(await write);
    });
    // The original error, not later ones.
    await expect.poll(() => service.stdout.slice(since)).toMatch(reason);
    await expect.poll(() => listWaitingBackends(db)).toEqual([]);
    expect(await rows()).toEqual(before);
  });
});

test('the log line of a lost idle connection has no request id', async () => {
  await using fresh = await startService(env);
  const headers = { 'X-Request-Id': 'opened-a-connection' };
  const opened = await Promise.all(
    [1, 2, 3].map(() => fresh.client.graphql('{ partner { name } }', {}, { ...tenant, headers })),
  );
  expect(opened.map(({ status }) => status)).toEqual([200, 200, 200]);
  await sql`select pg_terminate_backend(pid, 1000) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`.execute(db);
  await proxy.cut();
  const [line] = await printed(fresh, /^.*"msg":"database connection lost".*$/m);
  expect(JSON.parse(line)).not.toHaveProperty('requestId');
  expect(fresh.stdout).not.toContain('opened-a-connection');
});

test('no request fails after a column type has changed', async () => {
  const { id } = (await create({ item_ids: tenant.products })).body;
  const list = '{ items(first: 3) { nodes { tags { nodes { id version } } } } }';
  const round = async () => {
    const reads = Array.from({ length: 6 }, () => client.graphql(list, {}, tenant));
    const writes = Array.from({ length: 6 }, (_, n) => update(id, { item_ids: tenant.products.slice(n % 3) }));
    const answers = await Promise.all([...reads, ...writes]);
    return answers.map(({ status, body }) => ('errors' in body ? body.errors : status));
  };
  const fine = Array.from({ length: 12 }, () => 200);
  // Prepares every statement on every connection.
  for (let time = 0; time < 3; time += 1) expect(await round()).toEqual(fine);
  for (const [table, column, type] of [
    ['partner_tokens', 'label', 'varchar(401)'],
    ['product_tags', 'version', 'text'],
    ['partner_tokens', 'label', 'text'],
    ['product_tags', 'version', 'uuid using version::uuid'],
  ] as const) {
    await sql`alter table ${sql.table(table)} alter column ${sql.id(column)} drop default`.execute(db);
    await sql`alter table ${sql.table(table)} alter column ${sql.id(column)} type ${sql.raw(type)}`.execute(db);
    if (column === 'version')
      await sql`alter table product_tags alter column version set default gen_random_uuid()`.execute(db);
    for (let time = 0; time < 3; time += 1) expect(await round()).toEqual(fine);
  }
  expect(service.stdout).not.toContain('cached plan');
});

test('an admin command reports an unknown outcome if its connection is lost during the commit', async () => {
  const { companyId } = await createTenant(db);
  const key = 77;
  await sql`create function wait() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock(${sql.lit(key)}); return null; end $$`.execute(db);
  await sql`create constraint trigger wait after update on companies deferrable initially deferred
    for each row execute function wait()`.execute(db);
  onTestFinished(async () => void (await sql`drop function wait cascade`.execute(db)));
  const command = await db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(key)})`.execute(transaction);
    const running = createAdmin(database.env).run('company', 'suspend', String(companyId));
    await terminateWaiting();
    return { running };
  });
  expectFailure(await command.running, /the change may have been made/);
});

describe('while the database is unavailable', () => {
  test('both APIs return 503, or 401 without a token, and log the reason', async () => {
    await proxy.cut();
    const answer = await create();
    expectUnavailable(answer);
    expectUnavailable(await readPartner());
    expect((await client.rest('POST', '/product_tags', { body: {} })).status).toBe(401);
    const line = await printed(service, new RegExp(`^.*${answer.body.request_id}.*"msg":"request failed".*$`, 'm'));
    expect(JSON.parse(line[0]).err.message).toMatch(/ECONN|Connection|connect/);
  });

  test('costly queries and unknown tokens get 503, because their permissions are unknown', async () => {
    const lists = Array.from({ length: 12 }, (_, index) => `a${index}: cities { id nameEn nameAr }`);
    const costly = `{ company { id } ${lists.join(' ')} }`;
    // The service has not looked it up in the last second.
    const { token: known } = await createTenant(db);
    await proxy.cut();
    for (const token of [known, `pp_${'a'.repeat(43)}`]) {
      expectUnavailable(await client.graphql(costly, {}, { token }));
      expectUnavailable(await client.graphql('{ partner { name } }', {}, { token }));
      expect((await client.graphql('{ services { id } }', {}, { token })).status).toBe(200);
    }
    const { body } = await client.graphql(costly);
    expect(body).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
  });

  test('reference data is still served on both APIs, in both languages', async () => {
    const reads = ['en', 'ar'].flatMap((language) => [
      () => client.rest('GET', '/countries', { language }),
      () => client.rest('GET', '/lookups?brand_types=-1&week_days=1', { language }),
      () => client.graphql('{ cities(countryId: 682) { name country { nameEn } } }', {}, { language }),
    ]);
    const before = await Promise.all(reads.map((read) => read()));
    await proxy.cut();
    // A different document reads the same cached data.
    expect((await client.graphql('{ countries { id } cities { id } }')).status).toBe(200);
    const during = await Promise.all(reads.map((read) => read()));
    expect(during.map(({ status }) => status)).toEqual(before.map(() => 200));
    expect(during.map(({ body }) => body)).toEqual(before.map(({ body }) => body));
    await expect.poll(async () => (await client.fetch('GET', '/readyz')).status).toBe(503);
  });
});

test('requests waiting for locks get 409, and requests waiting for a connection succeed', async () => {
  const owners = [tenant, other];
  const ids = (await Promise.all(owners.map((owner) => create({}, owner)))).map((answer) => answer.body.id);
  const updates = () => Promise.all(ids.map((id, index) => update(id, {}, owners[index])));
  await lockTags(db, ids, async () => {
    const stuck = updates();
    await expect.poll(() => listWaitingBackends(db)).toHaveLength(owners.length);
    const others = Promise.all(owners.map((owner) => create({}, owner)));
    // The lookup of a token has a connection of its own.
    expect((await readPartner()).status).toBe(200);
    expect((await stuck).map(({ status }) => status)).toEqual([409, 409]);
    expect((await others).map(({ status }) => status)).toEqual([201, 201]);
  });
  expect((await updates()).map(({ status }) => status)).toEqual([200, 200]);
});

// PgBouncer does not close its connections to a server that became a standby.
test.skipIf(isPooled)('a write to a server that became read-only gets 503 and closes its connections', async () => {
  const setReadOnly = async (value: 'on' | 'off') => {
    const name = new URL(database.direct.DATABASE_URL as string).pathname.slice(1);
    await sql`alter database ${sql.id(name)} set default_transaction_read_only = ${sql.raw(value)}`.execute(db);
  };
  onTestFinished(() => setReadOnly('off'));
  await setReadOnly('on');
  await sql`select pg_terminate_backend(pid, 1000) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`.execute(db);
  expectUnavailable(await create());
  // Opens all connections of the pool while the server is read-only.
  expect((await Promise.all([readPartner(), readPartner(), readPartner()])).map(({ status }) => status)).toEqual([
    200, 200, 200,
  ]);
  await setReadOnly('off');
  expectUnavailable(await create());
  expect((await create()).status).toBe(201);
});

test.each(['53100', '53200', '58030'])('server error %s is 503, and rolls back', async (code) => {
  await sql`
    create function fail() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file' using errcode = ${sql.lit(code)}; end $$`.execute(db);
  await sql`create trigger fail before insert on product_taggings execute function fail()`.execute(db);
  const before = await rows();
  const answer = await create({ item_ids: tenant.products });
  await sql`drop function fail cascade`.execute(db);
  expectUnavailable(answer);
  expect(await rows()).toEqual(before);
});

describe('an idempotency key', () => {
  const key = { 'Idempotency-Key': 'order-66' };
  const send = ({ token, products }: Tenant, by = client, more: { signal?: AbortSignal } = {}) => {
    const body = { name_en: 'Once', item_ids: products };
    return by.rest('POST', '/product_tags', { token, headers: key, body, ...more });
  };
  const countTags = async (owner: Tenant) => (await rows(owner)).tags.length;

  test('of a killed process is in use until the database closes its session', async () => {
    const owner = await createTenant(db);
    await using doomed = await startService(database.env);
    await holdItems(db, owner, async () => {
      const lost = expect(send(owner, doomed.client)).rejects.toThrow();
      await untilWaiting(db);
      await doomed.end('SIGKILL');
      await lost;
      expect((await send(owner)).status).toBe(409);
    });
    await expect.poll(async () => (await send(owner)).status).toBe(201);
    expect(await countTags(owner)).toBe(1);
  });

  test('of a disconnected client returns the missed response', async () => {
    const owner = await createTenant(db);
    await holdItems(db, owner, async () => {
      const impatient = new AbortController();
      const lost = expect(send(owner, client, { signal: impatient.signal })).rejects.toThrow();
      await untilWaiting(db);
      impatient.abort();
      await lost;
    });
    await expect.poll(() => countTags(owner)).toBe(1);
    const { status, body, headers } = await send(owner);
    expect([status, body.item_ids, headers.get('idempotency-replayed')]).toEqual([201, owner.products, 'true']);
    expect(await countTags(owner)).toBe(1);
  });
});
