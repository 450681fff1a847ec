import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { documentBlock } from '../support/documents.ts';
import { surfaces } from '../support/product-tag.ts';
import { startApp, use } from '../support/test-app.ts';
import { startRouter, startStockSubgraph } from './servers.ts';

const app = use(await startApp({ FEDERATION: 'on' }));
const lowStock: number[] = [];
const stock = use(await startStockSubgraph(lowStock));
const { url } = use(
  await startRouter([
    { name: 'partner', url: `${app.url}/graphql` },
    { name: 'stock', url: stock.url },
  ]),
);
const router = new Client(url);
const tenant = await app.createTenant({ products: 3 });
const other = await app.createTenant();

test('through a router, our items have the fields that the other adds', async () => {
  const query = '{ items(first: 3, itemType: PRODUCT) { nodes { id stockLevel nameEn } } }';
  const { body } = await router.graphql(query, {}, tenant);
  const nodes = tenant.products.map((id, index) => ({ id, stockLevel: 10 * id, nameEn: `product ${index}` }));
  expect(body).toEqual({ data: { items: { nodes } } });
});

test('through a router, items of the other have our fields and tags, in the language of the caller', async () => {
  const [first = 0, second = 0] = tenant.products;
  const fields = { name_en: 'Spicy', name_ar: 'حار جدا', item_ids: [first] };
  const tag = await surfaces.REST.create(app.client, fields, tenant);
  lowStock.push(second, first);
  const query = '{ lowStock { id stockLevel name tags { nodes { id name items { nodes { id stockLevel } } } } } }';
  const { body } = await router.graphql(query, {}, { token: tenant.token, language: 'ar' });
  const items = { nodes: [{ id: first, stockLevel: 10 * first }] };
  const tags = { nodes: [{ id: tag.id, name: 'حار جدا', items }] };
  expect(body).toEqual({
    data: {
      lowStock: [
        { id: second, stockLevel: 10 * second, name: 'صنف 1', tags: { nodes: [] } },
        { id: first, stockLevel: 10 * first, name: 'صنف 0', tags },
      ],
    },
  });
  // Without a token, or of another company, there is none.
  const denied = await router.graphql('{ countries { id } lowStock { stockLevel name } }');
  expect(denied.body.data).toMatchObject({ lowStock: [null, null], countries: expect.any(Array) });
  expect(denied.body.errors?.map(({ extensions }) => extensions.code)).toEqual(['UNAUTHENTICATED']);
  expect((await router.graphql('{ lowStock { name } }', {}, other)).body.data.lowStock).toEqual([null, null]);
});

test('docs/federation.md shows the data source that the router here has', async () => {
  const source = await readFile(new URL('./servers.ts', import.meta.url), 'utf8');
  expect(source).toContain(await documentBlock('docs/federation.md', 'Router', 'ts'));
});
