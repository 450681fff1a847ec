import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { surfaces } from '../support/product-tag.ts';
import { isReference, queries } from '../support/schema.ts';
import { startApp, use } from '../support/test-app.ts';

// Separate, because the connections of all its requests are lost.
const app = use(await startApp());
const tenant = await app.createTenant();
const [product = 0] = tenant.products;
const { id: tag } = await surfaces.REST.create(app.client, { name_en: 'Spicy', item_ids: [product] }, tenant);

const fields = `id createdAt hasProductTag(id: ${tag}) tags(first: 1) { totalCount nodes { id itemIds items(first: 1) { nodes { id } } } }`;

/** A read of each root field, and of all that is behind it. */
const reads: Record<string, string> = {
  company: '{ company { id branches { nodes { id services { code } } } } }',
  item: `{ item(id: ${product}) { ${fields} } }`,
  items: `{ items(first: 2) { totalCount nodes { ${fields} } } found: items(search: "product", tagged: true) { nodes { id } } }`,
  itemsByIds: `{ itemsByIds(ids: [${product}]) { ${fields} } }`,
  partner: '{ partner { id name } }',
  productTag: `{ productTag(id: ${tag}) { id createdAt items { nodes { id } } } }`,
  productTags: '{ productTags(first: 2) { totalCount nodes { id createdAt itemIds items { nodes { id } } } } }',
  productTagsByIds: `{ productTagsByIds(ids: [${tag}]) { id createdAt items { nodes { id } } } }`,
};

const ownFields = queries.filter((field) => !isReference(field)).map(({ name }) => name);

test.each(ownFields)('%s succeeds after the loss of all connections', async (field) => {
  const { query } = pg.Client.prototype;
  const lost = new Set<string>();
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...[config]: unknown[]
  ) {
    const { text } = config as { text: string };
    // The first time of each statement.
    if (lost.has(text)) return Reflect.apply(query, this, [config]);
    lost.add(text);
    return Promise.reject(new Error('Connection terminated unexpectedly')) as never;
  });
  try {
    const { status, body } = await app.client.graphql(reads[field] ?? '', {}, tenant);
    expect({ status, errors: body.errors }).toEqual({ status: 200 });
  } finally {
    spy.mockRestore();
  }
  expect(lost.size).toBeGreaterThan(0);
});
