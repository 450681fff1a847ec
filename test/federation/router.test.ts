import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import { Client } from '../support/client.ts';
import { surfaces } from '../support/product-tag.ts';
import { readmeBlock } from '../support/readme.ts';
import { startStockSubgraph } from '../support/stock-subgraph.ts';
import { createTenant, type Tenant } from '../support/tenant.ts';
import { startRouter } from './router.ts';

const few = 1;
const many = 50;

let app: TestApp;
let stock: Awaited<ReturnType<typeof startStockSubgraph>>;
let router: Client;
let running: AsyncDisposable;
let tenant: Tenant;
let other: Tenant;
beforeAll(async () => {
  await using cleanup = new AsyncDisposableStack();
  app = cleanup.use(await startApp({ FEDERATION: 'on' }));
  stock = cleanup.use(await startStockSubgraph());
  const subgraphs = [
    { name: 'partner', url: `${app.url}/graphql` },
    { name: 'stock', url: stock.url },
  ];
  const { url } = cleanup.use(await startRouter(subgraphs));
  running = cleanup.move();
  router = new Client(url);
  tenant = await createTenant(app.db, { products: many });
  other = await createTenant(app.db);
  // Reference data is read once and then known.
  await app.client.rest('GET', '/countries');
});
afterAll(() => running[Symbol.asyncDispose]());
beforeEach(() => {
  stock.lowStock = [];
});

describe('through a router before this subgraph and another', () => {
  test('our items have the fields that the other adds', async () => {
    const query = '{ viewer { items(first: 3, itemType: PRODUCT) { nodes { id stockLevel nameEn } } } }';
    const { body } = await router.graphql(query, {}, tenant);
    const nodes = tenant.products
      .slice(0, 3)
      .map((id, index) => ({ id, stockLevel: 10 * id, nameEn: `product ${index}` }));
    expect(body).toEqual({ data: { viewer: { items: { nodes } } } });
  });

  test('items of the other have our fields and tags, in the language of whoever asks', async () => {
    const [first = 0, second = 0] = tenant.products;
    const fields = { name_en: 'Spicy', name_ar: 'حار جدا', item_ids: [first] };
    const tag = await surfaces.REST.create(app.client, fields, tenant);
    stock.lowStock = [second, first];
    const query = '{ lowStock { id stockLevel name tags { id name items { nodes { id stockLevel } } } } }';
    const { body } = await router.graphql(query, {}, { token: tenant.token, language: 'ar' });
    const items = { nodes: [{ id: first, stockLevel: 10 * first }] };
    expect(body).toEqual({
      data: {
        lowStock: [
          { id: second, stockLevel: 10 * second, name: 'صنف 1', tags: [] },
          { id: first, stockLevel: 10 * first, name: 'صنف 0', tags: [{ id: tag.id, name: 'حار جدا', items }] },
        ],
      },
    });
    const { body: english } = await router.graphql('{ lowStock { name } }', {}, { token: tenant.token });
    expect(english.data.lowStock).toEqual([{ name: 'product 1' }, { name: 'product 0' }]);
  });

  test("another company's item is null, like one that does not exist", async () => {
    const [own = 0] = tenant.products;
    stock.lowStock = [other.products[0] as number, own, 2_000_000_000];
    const { body } = await router.graphql('{ lowStock { stockLevel name } }', {}, tenant);
    expect(body.data.lowStock).toEqual([null, { stockLevel: 10 * own, name: 'product 0' }, null]);
  });

  test('an item needs a token', async () => {
    stock.lowStock = [tenant.products[0] as number];
    const { body } = await router.graphql('{ countries { id } lowStock { stockLevel name } }');
    expect(body.data.lowStock).toEqual([null]);
    expect(body.data.countries[0]).toEqual({ id: 682 });
    expect(body.errors?.map(({ extensions }) => extensions.code)).toEqual(['UNAUTHENTICATED']);
  });

  test('one item and fifty take the same statements', async () => {
    const query = '{ lowStock { stockLevel nameEn tags { nameEn itemIds } } }';
    const statementsFor = async (count: number) => {
      stock.lowStock = tenant.products.slice(0, count);
      app.statements.splice(0);
      const { body } = await router.graphql(query, {}, tenant);
      expect(body.data.lowStock.filter(Boolean)).toHaveLength(count);
      return app.statements.splice(0).toSorted();
    };
    const forFew = await statementsFor(few);
    expect(forFew.length).toBeGreaterThan(2);
    expect(await statementsFor(many)).toEqual(forFew);
  });
});

describe('the README', () => {
  test('shows the data source that the router here has', async () => {
    const source = await readFile(new URL('./router.ts', import.meta.url), 'utf8');
    expect(source).toContain(await readmeBlock('Federation', 'ts'));
  });

  test('shows commands that answer with the schema and with entities', async () => {
    const script = await readmeBlock('Federation', 'sh');
    const env = { PATH: process.env.PATH, URL: app.url, AUTH: `Authorization: Bearer ${tenant.token}` };
    const own = script.replace('"Item", id: 1', `"Item", id: ${tenant.products[1]}`);
    const { stdout } = await promisify(execFile)('sh', ['-euc', own], { env });
    const [, sdl, entities] = /^(\{.+?\})\n(\{.+\})\n$/s.exec(stdout) ?? [];
    expect(JSON.parse(sdl as string).data._service.sdl).toContain('type Item @key(fields: "id")');
    expect(JSON.parse(entities as string)).toEqual({
      data: { _entities: [{ name: 'صنف 1', tags: [] }, { name: 'المملكة العربية السعودية' }] },
    });
  });
});
