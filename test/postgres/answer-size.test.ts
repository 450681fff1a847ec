import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { createTenant } from '../support/tenant.ts';

// Its cost is estimated before it runs, by lists of 10; those of this partner are longer.
test('nested lists that grow beyond the limit are refused by its name, in few words, and no REST answer is', async () => {
  await using app = await startApp();
  const tenant = await createTenant(app.db, { products: 400 });
  await sql`insert into product_tags (company_id, name_en) select ${tenant.companyId}, 'Tag ' || number
    from generate_series(1, 40) as number`.execute(app.db);
  await sql`insert into product_taggings (company_id, product_tag_id, item_id)
    select ${tenant.companyId}, product_tags.id, items.id from product_tags, items
    where product_tags.company_id = ${tenant.companyId} and items.company_id = ${tenant.companyId}
      and item_type = 'product'`.execute(app.db);

  const nested = (fields: string) => `{ viewer { items(first: 1, itemType: PRODUCT) { nodes { ${fields} } } } }`;
  for (let time = 0; time < 3; time += 1) {
    const refused = await app.client.graphql(nested('tags { items { tags { items { id } } } }'), {}, tenant);
    expect(refused.body.data).toBeNull();
    expect(refused.body.errors?.[0]).toMatchObject({
      message: expect.stringContaining('150000'),
      extensions: { code: 'QUERY_TOO_COMPLEX' },
    });
    expect(JSON.stringify(refused.body).length).toBeLessThan(5_000);
  }
  const allowed = await app.client.graphql(nested('tags { items { id } itemIds }'), {}, tenant);
  expect(allowed.body.errors).toBeUndefined();
  expect(allowed.body.data.viewer.items.nodes[0].tags[39].items).toHaveLength(400);

  const { status, body } = await app.client.rest('POST', '/product_tags', {
    token: tenant.token,
    body: { name_en: 'All of them', item_ids: tenant.products },
  });
  expect({ status, items: body.item_ids }).toEqual({ status: 201, items: tenant.products });
});
