import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Database } from '../../src/domain/tables.ts';
import { startApp } from '../support/app.ts';
import { createTenant, type Tenant } from '../support/tenant.ts';

const times = (count: number, field: string) =>
  Array.from({ length: count }, (_, index) => `a${index}: ${field}`).join(' ');

/** A company whose `products` products have `tags` tags each. */
async function createTagged(db: Database, counts: { products: number; tags: number }): Promise<Tenant> {
  const tenant = await createTenant(db, { products: counts.products });
  await sql`with tags as (insert into product_tags (company_id, name_en) select ${tenant.companyId}, 'Tag ' || number
      from generate_series(1, ${counts.tags}::integer) as number returning id)
    insert into product_taggings (company_id, product_tag_id, item_id) select ${tenant.companyId}, tags.id, items.id
    from tags, items where items.company_id = ${tenant.companyId} and item_type = 'product'`.execute(db);
  return tenant;
}

test('lists that turn out longer than estimated are rejected beyond 150,000 fields, and no REST response is', async () => {
  await using app = await startApp();
  // Four times as many tags as the estimate assumes, in each nested list again.
  const tenant = await createTagged(app.db, { products: 400, tags: 40 });
  const nested = (fields: string) => `{ viewer { items(first: 1, itemType: PRODUCT) { nodes { ${fields} } } } }`;
  for (const fields of [
    'tags { items(first: 100) { nodes { tags { id nameEn } } } }',
    `tags { items(first: 100) { nodes { ${times(45, 'nameEn')} } } }`,
    'tags { items(first: 1) { nodes { tags { items(first: 100) { nodes { id } } } } } }',
    `tags { ${times(40, 'itemIds')} }`,
    `tags { ${times(40, 'version')} }`,
    `tags { items(first: 50) { nodes { tags { ${times(10, 'items(first: 1) { __typename }')} } } } }`,
  ]) {
    for (let time = 0; time < 3; time += 1) {
      const { body } = await app.client.graphql(nested(fields), {}, tenant);
      const errors = [{ message: expect.stringContaining('150000'), extensions: { code: 'QUERY_TOO_COMPLEX' } }];
      expect(body, fields).toMatchObject({ data: null, errors });
    }
  }
  const invalid = await app.client.graphql(nested('tags { items(first: 0) { __typename } }'), {}, tenant);
  expect(invalid.body).toMatchObject({ data: null, errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] });

  const allowed = await app.client.graphql(nested('tags { items(first: 100) { nodes { id } } itemIds }'), {}, tenant);
  expect(allowed.body.errors).toBeUndefined();
  expect(allowed.body.data.viewer.items.nodes[0].tags[39].items.nodes).toHaveLength(100);

  const { status, body } = await app.client.rest('POST', '/product_tags', {
    token: tenant.token,
    body: { name_en: 'All of them', item_ids: tenant.products },
  });
  expect({ status, items: body.item_ids }).toEqual({ status: 201, items: tenant.products });
});

test('long responses of one partner queue behind each other, and leave those of another alone', async () => {
  await using app = await startApp();
  const counts = { products: 100, tags: 100 };
  const [greedy, other] = [await createTagged(app.db, counts), await createTagged(app.db, counts)];
  const long = (tenant: Tenant) =>
    app.client.graphql('{ viewer { items(first: 100, itemType: PRODUCT) { nodes { tags { id } } } } }', {}, tenant);
  const [alone, ...many] = await Promise.all([long(other), ...Array.from({ length: 30 }, () => long(greedy))]);
  expect(alone.body.data.viewer.items.nodes.flatMap(({ tags }: { tags: unknown[] }) => tags)).toHaveLength(10_000);

  const rejected = many.filter(({ status }) => status === 503);
  expect(rejected.length).toBeGreaterThan(0);
  for (const { headers, body } of rejected) {
    expect(headers.get('retry-after')).toBe('1');
    expect(body).toMatchObject({ data: null, errors: [{ extensions: { code: 'OVERLOADED' } }] });
  }
  const served = many.filter(({ status }) => status === 200);
  expect(served.length).toBeGreaterThanOrEqual(5);
  expect(new Set(served.map(({ body }) => JSON.stringify(body.data)))).toHaveLength(1);
});
