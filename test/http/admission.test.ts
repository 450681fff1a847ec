import { setImmediate, setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Admission, Capacity } from '../../src/platform/admission/admission.ts';
import { freePort } from '../support/free-port.ts';
import { holdTable, holdTags, listWaitingBackends } from '../support/locks.ts';
import { surfaceNames, surfaces } from '../support/product-tag.ts';
import { createTenant } from '../support/tenant.ts';
import { startApp, use } from '../support/test-app.ts';

const managementPort = await freePort();
const app = use(
  await startApp({ RATE_LIMIT: 'off', MANAGEMENT_PORT: String(managementPort), TRUST_PROXY: 'loopback' }),
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

/** Waits until a number of operations wait for others. */
const untilWaiting = (count: number) => expect.poll(countWaiting, { interval: 5 }).toBe(count);

const unknownIds = Array.from({ length: 9_000 }, (_, index) => 2_000_000_000 + index);

/** A query of reference data that takes some milliseconds, without any wait. */
const slowRead = `{ ${Array.from({ length: 15 }, (_, index) => `a${index}: cities { name }`).join(' ')} }`;

test('an operation holds what its writes add', async () => {
  const partner = await createTenant(app.db);
  const add = `mutation ($ids: [Int!]!) {
    createProductTag(input: { nameEn: "Many", itemIds: $ids }) { userErrors { code } }
  }`;
  const { held } = await holdTable(app.db, 'items', async () => {
    const held = [
      ...Array.from({ length: 3 }, () => app.client.graphql(add, { ids: unknownIds }, partner)),
      ...Array.from({ length: 3 }, () => {
        return app.client.rest('POST', '/product_tags', { ...partner, body: { name_en: 'M', item_ids: unknownIds } });
      }),
    ];
    // Each of them holds more than half of 40,000.
    await untilWaiting(5);
    return { held };
  });
  await Promise.all(held);
});

test('updates on REST hold nothing for the item ids that they return, so they use all connections of a company', async () => {
  const partner = await createTenant(app.db);
  const bodies = Array.from({ length: 9 }, (_, index) => ({ name_en: `Tag ${index}` }));
  const tags = await Promise.all(bodies.map((body) => surfaces.REST.create(app.client, body, partner)));
  const { held } = await holdTable(app.db, 'product_tags', async () => {
    const held = tags.map(({ id }, index) =>
      app.client.rest('PATCH', `/product_tags/${id}`, { ...partner, body: bodies[index] }),
    );
    await expect.poll(() => listWaitingBackends(app.db), { interval: 5 }).toHaveLength(5);
    return { held };
  });
  for (const { status } of await Promise.all(held)) expect(status).toBe(200);
});

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

test('strangers that disconnect while they wait leave their turns to others', async () => {
  const flood = await floodFrom('192.0.2.1');
  flood.disconnect();
  await flood.end();
  expect((await app.client.graphql(slowRead)).status).toBe(200);
  await untilWaiting(0);
});

test('many operations of one stranger fail for nobody', async () => {
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

const admissionOf = (capacity: Capacity, partner: number | undefined, address = '192.0.2.1') =>
  new Admission(capacity, {
    address,
    partner,
    requireClient() {},
    startDeadline: () => performance.now() + 60_000,
  });

/** Takes a turn of a partner and works for 12 ms. */
async function occupy(capacity: Capacity, partner: number): Promise<void> {
  await admissionOf(capacity, partner).turn();
  const start = process.threadCpuUsage();
  while (process.threadCpuUsage(start).user < 12_000);
}

test('a client that disconnects while its operation waits leaves its place to others', async () => {
  const capacity = new Capacity();
  const large = { held: 40_000, scans: false };
  const gate = Promise.withResolvers<void>();
  const first = admissionOf(capacity, 1).run(large, () => gate.promise);
  let hasRun = false;
  let isConnected = true;
  const disconnected = new Admission(capacity, {
    address: '192.0.2.1',
    partner: 1,
    requireClient() {
      if (!isConnected) throw new Error('disconnected');
    },
    startDeadline: () => performance.now() + 60_000,
  });
  const late = [false, true].map((scans) =>
    disconnected.run({ ...large, scans }, async () => {
      hasRun = true;
    }),
  );
  await setImmediate();
  expect(capacity.waiting).toBe(2);
  isConnected = false;
  const outcomes = Promise.allSettled(late);
  gate.resolve();
  await first;
  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(hasRun).toBe(false);
  await setImmediate();
  await admissionOf(capacity, 1).run({ ...large, scans: true }, async () => {});
});

test('a client that leaves frees the room of its request once its operation has ended', async () => {
  const capacity = new Capacity();
  const gate = Promise.withResolvers<void>();
  const running = await Promise.all(
    Array.from({ length: 100 }, async () => {
      const admission = admissionOf(capacity, 1);
      const leave = await admission.reserve({ isLarge: false });
      const operation = admission.run({ held: 0, scans: false }, () => gate.promise);
      void leave();
      return { operation };
    }),
  );
  const next = admissionOf(capacity, 1).reserve({ isLarge: false });
  await setImmediate();
  expect(capacity.requests.waiting).toBe(1);
  gate.resolve();
  await Promise.all(running.map(({ operation }) => operation));
  (await next)();
});

test('a large request that is refused leaves its place to four others', async () => {
  const capacity = new Capacity();
  const short = () => admissionOf(capacity, 1).reserve({ isLarge: false });
  const leave = await Promise.all(Array.from({ length: 100 }, short));
  const context = {
    address: '192.0.2.1',
    partner: 1,
    requireClient() {},
    startDeadline: () => performance.now() + 1_010,
  };
  const late = new Admission(capacity, context).reserve({ isLarge: true });
  await expect(late).rejects.toMatchObject({ code: 'overloaded' });
  await Promise.all(leave.map((each) => each()));
  for (let count = 0; count < 4; count += 1) void admissionOf(capacity, 1).reserve({ isLarge: true });
  await setImmediate();
  expect(capacity.waiting).toBe(0);
});

test('callers take turns: each partner, and each address of strangers', async () => {
  const capacity = new Capacity();
  const order: string[] = [];
  const callers: [name: string, partner: number | undefined, address: string][] = [
    ...Array(5).fill(['stranger', undefined, '192.0.2.1']),
    ['other', undefined, '192.0.2.2'],
    // Its address does not matter.
    ['partner', 1, '192.0.2.1'],
  ];
  await Promise.all(
    callers.map(async ([name, partner, address]) => {
      await admissionOf(capacity, partner, address).turn();
      order.push(name);
    }),
  );
  expect(order).toEqual(['stranger', 'other', 'partner', ...Array(4).fill('stranger')]);
});

test.each([
  // A dash is 12 ms of other callers' work, and a dot is another iteration of the event loop.
  [1_250, /^\.work-\.+-end/],
  [1_251, /^\.-\.+work\.*-\.+end/],
])(
  'an operation that holds %d takes turns, if it is large, to work and to render its result',
  async (held, expected) => {
    const capacity = new Capacity();
    let order = '';
    const dash = async (partner: number) => {
      await occupy(capacity, partner);
      order += '-';
    };
    const counting = (async () => {
      for (; !order.endsWith('end'); await setImmediate()) order += '.';
    })();
    const run = async () => {
      order += 'work';
      await dash(3);
    };
    await Promise.all([dash(1), admissionOf(capacity, 2).run({ held, scans: false }, run)]);
    order += 'end';
    await counting;
    expect(order).toMatch(expected);
  },
);

test('the result of an operation is not lost if the turn to render it comes too late', async () => {
  const capacity = new Capacity();
  let deadline = performance.now() + 60_000;
  const late = new Admission(capacity, {
    address: '192.0.2.1',
    partner: 1,
    requireClient() {},
    startDeadline: () => deadline,
  });
  const running = late.run({ held: 40_000, scans: false }, async () => {
    deadline = 0;
    // Its caller pauses for 12 ms then, because another one is there.
    await admissionOf(capacity, 2).turn();
    await occupy(capacity, 1);
    return 'result';
  });
  await expect(running).resolves.toBe('result');
});

test('work that waits is refused while a second is left, in which it might fail half done', async () => {
  const capacity = new Capacity();
  const large = { held: 40_000, scans: false };
  const gate = Promise.withResolvers<void>();
  const first = admissionOf(capacity, 1).run(large, () => gate.promise);
  const deadline = performance.now() + 990;
  const late = new Admission(capacity, {
    address: '192.0.2.1',
    partner: 1,
    requireClient() {},
    startDeadline: () => deadline,
  });
  const refused = expect(late.run(large, async () => {})).rejects.toMatchObject({ code: 'overloaded' });
  // There would be room for it before its deadline.
  await setTimeout(20);
  gate.resolve();
  await refused;
  await first;
});

test('of large operations of 40 partners, several run at a time, two of each at most, and all succeed', async () => {
  const capacity = new Capacity();
  const running: number[] = [];
  const most: number[] = [];
  const partners = Array.from({ length: 120 }, (_, index) => Math.floor(index / 3));
  await Promise.all(
    partners.map((partner) =>
      admissionOf(capacity, partner).run({ held: 20_000, scans: false }, async () => {
        running.push(partner);
        most.push(running.length);
        expect(running.filter((each) => each === partner).length).toBeLessThanOrEqual(2);
        await setImmediate();
        running.splice(running.indexOf(partner), 1);
      }),
    ),
  );
  expect([most.length, Math.max(...most)]).toEqual([120, 6]);
});

test('reference data does not wait for operations that wait for the database', async () => {
  const partners = await Promise.all(Array.from({ length: 4 }, () => createTenant(app.db)));
  const large = '{ items(first: 100) { nodes { tags(first: 100) { nodes { id nameEn nameAr version } } } } }';
  const { held } = await holdTable(app.db, 'items', async () => {
    const held = partners.map((partner) => app.client.graphql(large, {}, partner));
    // Three of them hold all that there is.
    await untilWaiting(1);
    expect((await app.client.graphql('{ services { id } } # while all is held')).status).toBe(200);
    return { held };
  });
  for (const { status } of await Promise.all(held)) expect(status).toBe(200);
});

test('with REFERENCE_ACCESS=partner, the tokens of several reads are looked up at a time', async () => {
  await using closed = await startApp({ RATE_LIMIT: 'off', REFERENCE_ACCESS: 'partner' });
  const partners = await Promise.all(Array.from({ length: 2 }, () => closed.createTenant()));
  const { held } = await holdTable(closed.db, 'partner_tokens', async () => {
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

test('writes that wait for another of their tag hold nothing', async () => {
  const capacity = new Capacity();
  const write = { held: 10_000, scans: false };
  const gate = Promise.withResolvers<void>();
  let written = 0;
  const writers = Array.from({ length: 8 }, () => {
    const admission = admissionOf(capacity, 1);
    return admission.run(write, () =>
      admission.write('a tag', async () => {
        await gate.promise;
        written += 1;
      }),
    );
  });
  await setImmediate();
  expect(capacity.waiting).toBe(7);
  // One of the writes holds 10,000 of 40,000.
  await Promise.all([0, 1, 2].map(() => admissionOf(capacity, 1).run(write, () => setImmediate())));
  const none = admissionOf(capacity, 1).run({ ...write, held: 40_000 }, async () => written);
  await setImmediate();
  expect(capacity.waiting).toBe(8);
  gate.resolve();
  await Promise.all(writers);
  expect([written, await none]).toEqual([8, expect.any(Number)]);
  // All of them have given it back.
  await setImmediate();
  await admissionOf(capacity, 1).run({ ...write, held: 40_000 }, async () => {});
  expect(capacity.waiting).toBe(0);
});

test('writes that are refused together report it in turns', async () => {
  const capacity = new Capacity();
  const gate = Promise.withResolvers<void>();
  const first = admissionOf(capacity, 1).write('a tag', () => gate.promise);
  // Each may wait for 50 ms.
  const deadline = performance.now() + 1_050;
  const context = { address: '192.0.2.1', partner: 1, requireClient() {}, startDeadline: () => deadline };
  let iteration = 0;
  const refusedIn: number[] = [];
  const refused = Array.from({ length: 4 }, () =>
    new Admission(capacity, context)
      .write('a tag', async () => {})
      .catch(() => {
        refusedIn.push(iteration);
        const start = process.threadCpuUsage();
        while (process.threadCpuUsage(start).user < 12_000);
      }),
  );
  let isOver = false;
  const counting = (async () => {
    for (; !isOver; await setImmediate()) iteration += 1;
  })();
  await Promise.all(refused);
  isOver = true;
  await counting;
  expect(new Set(refusedIn).size).toBe(4);
  gate.resolve();
  await first;
});

test.each(surfaceNames)('%s: writers of a tag wait for each other', async (name) => {
  const partner = await createTenant(app.db);
  const surface = surfaces[name];
  const tag = await surface.create(app.client, { name_en: 'Written' }, partner);
  const { held } = await holdTags(app.db, [tag.id], async () => {
    const held = [0, 1, 2].map(() => surface.update(app.client, tag.id, { name_en: 'Changed' }, partner));
    await untilWaiting(2);
    return { held };
  });
  await Promise.allSettled(held);
});

test('large bodies of a caller are handled four at a time, and short ones do not wait', async () => {
  const partner = await createTenant(app.db);
  const [held, free] = [
    await surfaces.REST.create(app.client, { name_en: 'Held' }, partner),
    await surfaces.REST.create(app.client, { name_en: 'Free' }, partner),
  ];
  const update = (id: number, length: number) =>
    app.client.rest('PUT', `/product_tags/${id}`, {
      ...partner,
      body: { name_en: 'Changed', item_ids: partner.products, unknown: 'x'.repeat(length) },
    });
  let isDone = false;
  const { writes } = await holdTags(app.db, [held.id], async () => {
    const writes = [1, 2, 3, 4].map(() => update(held.id, 16_384));
    await untilWaiting(3);
    const fifth = update(free.id, 16_384).finally(() => {
      isDone = true;
    });
    await untilWaiting(4);
    expect((await update(free.id, 10)).status).toBe(200);
    expect(isDone).toBe(false);
    return { writes: [...writes, fifth] };
  });
  expect((await Promise.all(writes)).map(({ status }) => status)).toEqual(Array(5).fill(200));
});

test('the searches of a document run one after the other', async () => {
  for (const scans of [true, false]) {
    const admission = admissionOf(new Capacity(), 1);
    const order: string[] = [];
    const read = (name: string) =>
      admission.oneListAtATime(async () => {
        order.push(name);
        await setImmediate();
        order.push(name);
      });
    await admission.run({ held: 0, scans }, () => Promise.all([read('a'), read('b')]));
    expect(order.join('')).toBe(scans ? 'aabb' : 'abab');
  }
});

test('a partner runs one search or count at a time, and its other lists do not wait', async () => {
  const partner = await createTenant(app.db);
  const scans =
    '{ a: items(search: "x") { nodes { id } } b: items { totalCount } c: items(tagged: true) { nodes { id } } }';
  const { held } = await holdTable(app.db, 'items', async () => {
    const held = [
      scans,
      '{ itemsByIds(ids: [1]) { id } }',
      '{ items { totalCount } }',
      '{ productTags(search: "y") { nodes { id } } }',
      '{ items { nodes { id } } }',
    ].map((query) => app.client.graphql(query, {}, partner));
    await untilWaiting(2);
    return { held };
  });
  for (const { body } of await Promise.all(held)) expect(body.errors).toBeUndefined();
});
