import { EventEmitter } from 'node:events';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { Admission, ConcurrencyLimits } from '../../src/platform/admission/admission.ts';
import { freePort } from '../support/free-port.ts';
import { listWaitingBackends, lockTable, lockTags } from '../support/locks.ts';
import { surfaceNames, surfaces, writes } from '../support/product-tag.ts';
import { createTenant, type Tenant } from '../support/tenant.ts';
import { copyTemplate, openDatabase, startApp, use } from '../support/test-app.ts';

const managementPort = await freePort();
const { env } = use(await copyTemplate());
const app = use(
  await startApp({ ...env, RATE_LIMIT: 'off', MANAGEMENT_PORT: String(managementPort), TRUST_PROXY: 'loopback' }),
);

async function metric(name: string): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${managementPort}/metrics`)).text();
  return Number(
    metrics
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.split(' ')
      .at(-1),
  );
}

const countWaiting = () => metric('partner_queue_waiting{queue="operations"}');

/** Waits until a number of operations wait for others, for at most as long as they do. */
const untilWaiting = (count: number) => expect.poll(countWaiting, { interval: 5, timeout: 4_000 }).toBe(count);

/** A query of reference data that takes some milliseconds, without any wait. */
const slowRead = `{ ${Array.from({ length: 15 }, (_, index) => `a${index}: cities { name }`).join(' ')} }`;

test.each(surfaceNames)('%s: 8 updates of a partner that select item ids run concurrently', async (name) => {
  const partner = await createTenant(app.db);
  const surface = surfaces[name];
  const names = Array.from({ length: 8 }, (_, index) => ({ name_en: `Tag ${index}` }));
  const tags = await Promise.all(names.map((fields) => surface.create(app.client, fields, partner)));
  const { held } = await lockTable(app.db, 'product_tags', async () => {
    const held = tags.map(({ id }) =>
      surface.update(app.client, id, { name_en: 'New', item_ids: partner.products }, partner),
    );
    // The company's connections; three more updates wait for one, and none for another update.
    await expect.poll(() => listWaitingBackends(app.db), { interval: 5 }).toHaveLength(5);
    await expect.poll(() => metric('partner_queue_waiting{queue="queries"}')).toBe(3);
    expect(await countWaiting()).toBe(0);
    return { held };
  });
  for (const { item_ids } of await Promise.all(held)) expect(item_ids).toEqual(partner.products);
});

const unknownIds = Array.from({ length: 6_000 }, (_, index) => 2_000_000_000 + index);

test.each(surfaceNames)('%s: a partner has one large write at a time', async (name) => {
  const partner = await createTenant(app.db);
  const { held } = await lockTable(app.db, 'items', async () => {
    const create = () => writes[name].create(app.client, { name_en: 'Large', item_ids: unknownIds }, partner);
    const held = [create(), create(), create()];
    await untilWaiting(2);
    return { held };
  });
  for (const { codes } of await Promise.all(held)) expect(codes).toEqual(['item_not_found']);
});

test.each(surfaceNames)(
  '%s: large writes of three partners waiting for a tag lock do not delay others',
  async (name) => {
    const { create } = surfaces[name];
    const { update } = writes[name];
    const partners = await Promise.all(Array.from({ length: 4 }, () => createTenant(app.db)));
    const tags = await Promise.all(partners.map((partner) => create(app.client, { name_en: 'Locked' }, partner)));
    const large = { name_en: 'Large', item_ids: unknownIds };
    const [[fourth, free] = []] = partners.map((partner, index) => [partner, tags[index]] as const).slice(3);
    const locked = tags.slice(0, 3).map(({ id }) => id);
    const { held } = await lockTags(app.db, locked, async () => {
      // Of each partner, one waits for the lock, and one for the first.
      const held = locked.flatMap((id, index) => {
        const write = () => update(app.client, id, large, partners[index] as Tenant);
        return [write(), write()];
      });
      await expect.poll(() => listWaitingBackends(app.db), { interval: 5 }).toHaveLength(3);
      await untilWaiting(3);
      const others = [fourth, ...partners].map((each, index) =>
        index === 0
          ? update(app.client, free?.id ?? 0, large, each as Tenant)
          : create(app.client, { name_en: 'Other' }, each as Tenant),
      );
      expect(await others[0]).toMatchObject({ codes: ['item_not_found'] });
      await Promise.all(others);
      expect(await listWaitingBackends(app.db)).toHaveLength(3);
      return { held };
    });
    for (const { codes } of await Promise.all(held)) expect(codes).toEqual(['item_not_found']);
  },
);

/** Repeats reads of one address on 40 connections until `end`. */
async function floodFrom(address: string) {
  const abort = new AbortController();
  let isOver = false;
  const connections = Array.from({ length: 40 }, async (_, index) => {
    for (let count = 0; !isOver; count += 1) {
      const query = `${slowRead} # ${address} ${index} ${count}`;
      await app.client.graphql(query, {}, { ...from(address), signal: abort.signal });
    }
  });
  const ended = Promise.allSettled(connections);
  await expect.poll(countWaiting, { interval: 1 }).toBeGreaterThan(10);
  return {
    disconnect: () => abort.abort(),
    async end() {
      isOver = true;
      await ended;
    },
  };
}

const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } });

test('anonymous clients that disconnect leave the queue', async () => {
  const flood = await floodFrom('192.0.2.1');
  flood.disconnect();
  await flood.end();
  expect((await app.client.graphql(slowRead)).status).toBe(200);
  await untilWaiting(0);
});

test('many operations of one anonymous client fail for nobody', async () => {
  const partner = await createTenant(app.db);
  const flood = await floodFrom('192.0.2.1');
  for (const send of [
    () => app.client.graphql('{ services { id } } # of another', {}, from('192.0.2.2')),
    () => app.client.rest('GET', '/lookups?brand_types=3&week_days=1', from('192.0.2.3')),
    () => app.client.graphql('{ partner { id } }', {}, partner),
  ]) {
    expect((await send()).status).toBe(200);
  }
  await flood.end();
});

function createAdmission(
  limits: ConcurrencyLimits,
  partner: number | undefined,
  { address = '192.0.2.1', time = 60_000 } = {},
) {
  const response = new EventEmitter();
  // Otherwise, requests that still wait would be rejected during a later test.
  onTestFinished(() => void response.emit('close'));
  const deadline = performance.now() + time;
  const state = { isConnected: true };
  const throwIfDisconnected = () => {
    if (!state.isConnected) throw new Error('disconnected');
  };
  const context = { address, partner, waitMs: 0, response, throwIfDisconnected, startDeadline: () => deadline };
  return { admission: new Admission(limits, context), response, state };
}

/** Occupies slots of a caller, and returns their requests. */
async function hold(limits: ConcurrencyLimits, partner: number | undefined, count: number) {
  const requests = Array.from({ length: count }, () => createAdmission(limits, partner));
  await Promise.all(requests.map(({ admission }) => admission.enter()));
  return requests;
}

test('concurrency limits are 8 per caller and 64 for all partners, who alternate', async () => {
  const limits = new ConcurrencyLimits();
  const held = await Promise.all(Array.from({ length: 8 }, (_, partner) => hold(limits, partner, 8)));
  // Beyond the limit, the first request of a partner does not wait.
  await Promise.all([8, 9, 10].map((partner) => hold(limits, partner, 1)));
  const order: number[] = [];
  const waiting = [8, 8, 8, 9, 10].map(async (partner) => {
    await hold(limits, partner, 1);
    order.push(partner);
  });
  await setImmediate();
  expect([limits.waiting, order]).toEqual([5, []]);
  // Requests without a token, which read reference data, have other slots.
  await hold(limits, undefined, 8);
  for (const { response } of held.flat()) response.emit('prefinish');
  await Promise.all(waiting);
  expect(order).toEqual([8, 9, 10, 8, 8]);
});

test('8 partners with 64 requests that wait for the database do not delay reads of reference data', async () => {
  await using other = await openDatabase(env);
  const reader = await createTenant(app.db);
  const partners = await Promise.all(Array.from({ length: 8 }, () => createTenant(app.db)));
  const { held } = await lockTable(other.db, 'items', async () => {
    const held = partners.flatMap((partner) =>
      Array.from({ length: 8 }, () => app.client.graphql('{ items { nodes { id } } }', {}, partner)),
    );
    // Another 9 have a connection, and one is free for token lookups.
    await expect.poll(() => metric('partner_queue_waiting{queue="queries"}')).toBe(55);
    for (const caller of [{}, reader]) {
      const reads = [
        app.client.graphql(`{ countries { id } } # not in the cache, ${caller === reader}`, {}, caller),
        app.client.rest('GET', `/countries?not_in_the_cache=${caller === reader}`, caller),
      ];
      for (const { status } of await Promise.all(reads)) expect(status).toBe(200);
    }
    expect(await countWaiting()).toBe(0);
    return { held };
  });
  for (const { status } of await Promise.all(held)) expect(status).toBe(200);
});

test('the queue time of a request is in its log line and in a metric', async () => {
  const partner = await createTenant(app.db);
  const total = 'http_request_wait_seconds_total';
  const before = await metric(total);
  const headers = { 'X-Request-Id': 'the-ninth-request' };
  const { held } = await lockTable(app.db, 'items', async () => {
    const held = Array.from({ length: 8 }, () => app.client.graphql('{ items { nodes { id } } }', {}, partner));
    held.push(app.client.graphql('{ partner { id } }', {}, { ...partner, headers }));
    await untilWaiting(1);
    await setTimeout(100);
    return { held };
  });
  for (const { status } of await Promise.all(held)) expect(status).toBe(200);
  const find = () => app.logLines.find(({ requestId, waitMs }) => requestId === 'the-ninth-request' && waitMs);
  await expect.poll(find).toMatchObject({ waitMs: expect.any(Number) });
  const { ms, waitMs } = find() as Record<'ms' | 'waitMs', number>;
  expect(waitMs).toBeGreaterThanOrEqual(100);
  expect(waitMs).toBeLessThanOrEqual(ms + 1);
  expect(await metric(total)).toBeGreaterThanOrEqual(before + 0.1);
});

test('without a token, each address is a caller, with a limit separate from partners', async () => {
  const limits = new ConcurrencyLimits();
  const enter = (partner: number | undefined, address: string) =>
    createAdmission(limits, partner, { address }).admission.enter();
  for (let count = 0; count < 8; count += 1) await enter(undefined, '192.0.2.1');
  void enter(undefined, '192.0.2.1');
  await enter(undefined, '192.0.2.2');
  await enter(1, '192.0.2.1');
  expect(limits.waiting).toBe(1);
});

test('a client that disconnects leaves the queue', async () => {
  const limits = new ConcurrencyLimits();
  const held = await hold(limits, 1, 8);
  const { admission, state } = createAdmission(limits, 1);
  const rejected = expect(admission.enter()).rejects.toThrow('disconnected');
  const next = createAdmission(limits, 1).admission.enter();
  await setImmediate();
  state.isConnected = false;
  held[0]?.response.emit('prefinish');
  await rejected;
  await next;
});

test('a disconnected client counts until its operation has ended', async () => {
  const limits = new ConcurrencyLimits();
  const gate = Promise.withResolvers<void>();
  for (const { admission, response } of await hold(limits, 1, 8)) {
    void admission.run(0, () => gate.promise);
    response.emit('close');
  }
  void hold(limits, 1, 9);
  await setTimeout(10);
  expect(limits.waiting).toBe(9);
  gate.resolve();
  await expect.poll(() => limits.waiting).toBe(1);
});

test('a queued request is rejected while a second of its deadline is left', async () => {
  const limits = new ConcurrencyLimits();
  const [first] = await hold(limits, 1, 8);
  const late = createAdmission(limits, 1, { time: 990 }).admission.enter();
  const rejected = expect(late).rejects.toMatchObject({ code: 'overloaded' });
  // There would be room for it before its deadline.
  await setTimeout(20);
  first?.response.emit('prefinish');
  await rejected;
});

test('with REFERENCE_ACCESS=partner, tokens of several reads are looked up concurrently', async () => {
  await using closed = await startApp({ RATE_LIMIT: 'off', REFERENCE_ACCESS: 'partner' });
  const partners = await Promise.all(Array.from({ length: 2 }, () => closed.createTenant()));
  const { held } = await lockTable(closed.db, 'partner_tokens', async () => {
    const held: Promise<{ status: number }>[] = [];
    for (const { token } of partners) {
      held.push(closed.client.rest('GET', '/services', { token }));
      const count = async () => (await listWaitingBackends(closed.db)).length;
      await expect.poll(count, { interval: 5 }).toBe(held.length);
    }
    return { held };
  });
  for (const { status } of await Promise.all(held)) expect(status).toBe(200);
  expect((await closed.client.rest('GET', '/services')).status).toBe(401);
});

test.each(surfaceNames)('%s: writers of a tag wait for each other', async (name) => {
  const partner = await createTenant(app.db);
  const surface = surfaces[name];
  const tag = await surface.create(app.client, { name_en: 'Written' }, partner);
  const { held } = await lockTags(app.db, [tag.id], async () => {
    const held = [0, 1, 2].map(() => surface.update(app.client, tag.id, { name_en: 'Changed' }, partner));
    await untilWaiting(2);
    return { held };
  });
  await Promise.allSettled(held);
});
