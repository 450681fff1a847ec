import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { sharedApp } from '../support/test-app.ts';

const app = await sharedApp();
const tenant = await app.createTenant();
const [a = 0, b = 0, untagged = 0] = tenant.products;

async function send(document: string, variables: object = {}) {
  const { body } = await app.client.graphql(document, variables, tenant);
  expect(body.errors).toBeUndefined();
  return body.data;
}

interface Times {
  createdAt: string;
  updatedAt: string;
}

const itemTimes = async (id: number): Promise<Times> =>
  (await send('query ($id: Int!) { item(id: $id) { createdAt updatedAt } }', { id })).item;

async function create(itemIds: number[] = []): Promise<{ id: number } & Times> {
  const data = await send(
    `mutation ($itemIds: [Int!]) { createProductTag(input: { nameEn: "Spicy", itemIds: $itemIds }) {
      productTag { id createdAt updatedAt } } }`,
    { itemIds },
  );
  return data.createProductTag.productTag;
}

describe('updatedAt', () => {
  test('of a tag changes exactly when its version does', async () => {
    const { id, createdAt } = await create([a]);
    expect(createdAt).toMatch(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const state = async () =>
      (await send('query ($id: Int!) { productTag(id: $id) { version createdAt updatedAt } }', { id })).productTag;
    for (const [mutation, isChange] of [
      [`updateProductTag(id: ${id}, input: { nameEn: "Hot" })`, true],
      [`updateProductTag(id: ${id}, input: { nameEn: "Hot", itemIds: [${a}] })`, false],
      [`updateProductTag(id: ${id}, input: { nameAr: "حار" })`, true],
      [`addProductTagItems(id: ${id}, itemIds: [${a}, ${b}])`, true],
      [`addProductTagItems(id: ${id}, itemIds: [${a}, ${b}])`, false],
      [`removeProductTagItems(id: ${id}, itemIds: [${b}])`, true],
      [`updateProductTag(id: ${id}, input: { itemIds: [] })`, true],
    ] as const) {
      const before = await state();
      // Times are shown in milliseconds.
      await new Promise((resolve) => setTimeout(resolve, 2));
      await send(`mutation { ${mutation} { userErrors { code } } }`);
      const after = await state();
      expect(after.updatedAt > before.updatedAt, mutation).toBe(isChange);
      expect(after.version !== before.version, mutation).toBe(isChange);
      expect(after.createdAt).toBe(createdAt);
    }
  });

  test('of an item changes only with its own columns', async () => {
    const before = await itemTimes(b);
    await create([b]);
    await app.db.updateTable('items').set({ nameEn: 'product 1' }).where('id', '=', b).execute();
    expect(await itemTimes(b)).toEqual(before);
    // Another value of each type that the columns have.
    const other: Record<string, string> = { text: `'modifier'`, integer: '1', boolean: 'true' };
    const { rows } = await sql<{ name: string; type: string }>`
      select column_name as name, data_type as type from information_schema.columns
      where table_schema = current_schema() and table_name = 'items'
        and column_name not in ('id', 'company_id', 'search_text', 'created_at', 'updated_at')`.execute(app.db);
    let last = await itemTimes(untagged);
    for (const { name, type } of rows) {
      await new Promise((resolve) => setTimeout(resolve, 2));
      await sql`update items set ${sql.id(name)} = ${sql.raw(other[type] as string)} where id = ${untagged}`.execute(
        app.db,
      );
      const { createdAt, updatedAt } = await itemTimes(untagged);
      expect(createdAt).toBe(last.createdAt);
      expect(updatedAt > last.updatedAt, name).toBe(true);
      last = { createdAt, updatedAt };
    }
  });
});

describe('updatedAfter', () => {
  const found = async (list: 'items' | 'productTags', updatedAfter: string, more = '') =>
    (
      await send(
        `query ($time: DateTime) { ${list}(updatedAfter: $time, first: 100 ${more}) { totalCount nodes { id } } }`,
        {
          time: updatedAfter,
        },
      )
    )[list];

  test('finds items and tags added or changed since, in pages and with other conditions', async () => {
    const { id, updatedAt } = await create();
    expect((await found('productTags', updatedAt)).totalCount).toBeLessThan(2);
    await new Promise((resolve) => setTimeout(resolve, 2));
    const now = new Date().toISOString();
    await new Promise((resolve) => setTimeout(resolve, 2));
    expect(await found('productTags', now)).toEqual({ totalCount: 0, nodes: [] });
    expect(await found('items', now)).toEqual({ totalCount: 0, nodes: [] });
    const renamed = app.db.updateTable('items').where('id', '=', a);
    await renamed.set({ nameEn: 'Changed' }).execute();
    await send(`mutation { addProductTagItems(id: ${id}, itemIds: [${a}]) { userErrors { code } } }`);
    const second = (await create()).id;
    expect(await found('items', now)).toEqual({ totalCount: 1, nodes: [{ id: a }] });
    expect(await found('items', now, 'search: "none"')).toEqual({ totalCount: 0, nodes: [] });
    expect(await found('productTags', now)).toEqual({ totalCount: 2, nodes: [{ id }, { id: second }] });
    expect((await found('productTags', now, 'reverse: true, orderBy: NAME_EN')).nodes).toEqual([
      { id: second },
      { id },
    ]);
    const { items } = await send(
      `{ items(updatedAfter: "2000-01-01T00:00:00Z", first: 2) { nodes { id } pageInfo { endCursor } } }`,
    );
    const rest = await send(
      `{ items(updatedAfter: "2000-01-01T00:00:00Z", after: "${items.pageInfo.endCursor}") { nodes { id } } }`,
    );
    const all = [...items.nodes, ...rest.items.nodes].map((each: { id: number }) => each.id);
    expect(all).toEqual([tenant.modifierGroup, tenant.modifier, ...tenant.products].toSorted((x, y) => x - y));
  });

  test('includes later rows of the same millisecond, because responses have no microseconds', async () => {
    const { id } = await create();
    const time = '2031-01-01T00:00:00.123';
    for (const [microseconds, isFound] of [
      ['000', false],
      ['001', true],
    ] as const) {
      const updatedAt = sql`${`${time}${microseconds}Z`}::timestamptz`;
      await sql`update product_tags set updated_at = ${updatedAt} where id = ${id}`.execute(app.db);
      await sql`update items set updated_at = ${updatedAt} where id = ${a}`.execute(app.db);
      for (const [list, row] of [
        ['productTags', { id }],
        ['items', { id: a }],
      ] as const)
        expect((await found(list, `${time}Z`)).nodes).toEqual(isFound ? [row] : []);
    }
  });

  test.each([
    ...['0000-01-01T00:00:00Z', '1950-01-01T00:00:00+14:00', '2026-01-01T00:00:00.123456789+03:00'],
    // Java leaves out seconds that are zero.
    ...['2026-01-01T00:00Z', '2026-01-01T00:00+03:00', '2026-01-01t00:00-03:00'],
  ])('%s finds everything', async (time) => {
    expect((await found('items', time)).totalCount).toBe(7);
    expect((await send(`{ items(updatedAfter: "${time}") { totalCount } }`)).items.totalCount).toBe(7);
  });

  test.each(['9999-12-31T23:59:59Z', '9999-12-31T23:59:59-14:00'])('%s finds nothing', async (time) => {
    expect((await found('items', time)).totalCount).toBe(0);
  });

  test.each([
    ...['2026-01-01', 'yesterday', '2026-02-30T00:00:00Z', 1],
    ...['2026-01-01T00:00', '2026-01-01T24:00Z', '2026-01-01T00Z'],
  ])('%j is rejected with an example', async (time) => {
    const document = 'query ($time: DateTime) { items(updatedAfter: $time) { totalCount } }';
    const { body } = await app.client.graphql(document, { time }, tenant);
    const message = expect.stringContaining('such as 2026-01-01T00:00:00Z.');
    expect(body.errors).toMatchObject([{ message, extensions: { code: 'BAD_USER_INPUT' } }]);
    const literal = await app.client.graphql(
      `{ items(updatedAfter: ${JSON.stringify(time)}) { totalCount } }`,
      {},
      tenant,
    );
    expect(literal.body.errors).toMatchObject([{ message }]);
  });
});
