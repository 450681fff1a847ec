import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { sharedApp } from '../support/app.ts';
import { surfaces, writes } from '../support/product-tag.ts';
import { createTenant, insertItems, type Tenant } from '../support/tenant.ts';

const few = 3;
const many = 10 * few;

const app = await sharedApp();
const small = await tenantWith(few);
const large = await tenantWith(many);
// Reference data is read once and then known.
await app.client.rest('GET', '/cities');
await app.client.rest('GET', '/services');

// So many products with two tags each, so many tags, and so many branches, each in another country.
async function tenantWith(count: number): Promise<Tenant> {
  const tenant = await createTenant(app.db, { products: count });
  for (const [index, id] of tenant.products.entries()) {
    const neighbour = tenant.products[(index + 1) % count] as number;
    await surfaces.REST.create(app.client, { name_en: `Tag ${index}`, item_ids: [id, neighbour] }, tenant);
  }
  await sql`
    insert into branches (company_id, name_en, name_ar, city_id)
    select ${tenant.companyId}::integer, 'Branch', 'فرع', min(id) from cities group by country_id limit ${count}
  `.execute(app.db);
  await sql`
    insert into branch_services (company_id, branch_id, service_id)
    select company_id, branches.id, services.id from branches, services where company_id = ${tenant.companyId}
  `.execute(app.db);
  return tenant;
}

// Sorted, because statements that run side by side end in any order.
async function statementsOf(run: () => Promise<unknown>): Promise<string[]> {
  app.statements.splice(0);
  await run();
  return app.statements.splice(0).toSorted();
}

const asTenant = async (query: string, { token }: Tenant) => {
  const { body } = await app.client.graphql(query, {}, { token });
  expect(body.errors).toBeUndefined();
  return JSON.stringify(body.data);
};

describe('ten times the rows take the same statements', () => {
  test.each([
    '{ viewer { items(first: 100) { nodes { tags { id } } } } }',
    '{ viewer { items(first: 100) { nodes { tags { itemIds } } } } }',
    '{ viewer { items(first: 100) { nodes { tags { version } } } } }',
    '{ viewer { items(first: 100) { nodes { tags { version itemIds items(first: 2) { nodes { tags { version } } } } } } } }',
    '{ viewer { items(first: 100) { nodes { tags { items(first: 5) { nodes { tags { id } } } } } } } }',
    '{ viewer { items(first: 100) { edges { node { tags { itemIds items(first: 1) { nodes { tags { version } } } } } } } } }',
    '{ viewer { company { branches { services { code } } } } }',
    '{ viewer { company { address { city { nameEn } country { nameEn } } branches { address { city { country { nameEn } } country { nameEn } } services { code } } } } }',
  ])('in %s', async (query) => {
    let shortAnswer = '';
    let longAnswer = '';
    const forFew = await statementsOf(async () => (shortAnswer = await asTenant(query, small)));
    const forMany = await statementsOf(async () => (longAnswer = await asTenant(query, large)));
    expect(longAnswer.length).toBeGreaterThan(6 * shortAnswer.length);
    expect(forFew.length).toBeGreaterThan(0);
    expect(forMany).toEqual(forFew);
  });

  test('in a creation under an idempotency key and in its retry, whatever the number of its items', async () => {
    for (const surface of Object.values(writes)) {
      const create = (tenant: Tenant) => {
        const options = { token: tenant.token, idempotencyKey: 'order-66' };
        return statementsOf(() => surface.create(app.client, { name_en: 'Spicy', item_ids: tenant.products }, options));
      };
      const forFew = [await create(small), await create(small)];
      expect(forFew[1]?.length).toBeLessThan(forFew[0]?.length ?? 0);
      expect([await create(large), await create(large)]).toEqual(forFew);
      await app.db.deleteFrom('idempotencyKeys').execute();
    }
  });

  test('in an update, with its version or without, whatever the number of its items', async () => {
    for (const surface of Object.values(writes)) {
      for (const isConditional of [true, false]) {
        const update = async (tenant: Tenant, count: number) => {
          const item_ids = await insertItems(app.db, tenant.companyId, 'product', count);
          const before = { name_en: 'Before', item_ids: tenant.products };
          const { tag, version } = await surface.create(app.client, before, tenant);
          const options = { token: tenant.token, ...(isConditional && { ifMatch: version }) };
          const fields = { name_en: 'After', item_ids };
          return statementsOf(() => surface.update(app.client, tag?.id ?? 0, fields, options));
        };
        const forFew = await update(small, few);
        expect(forFew.length).toBeGreaterThan(0);
        expect(await update(large, many)).toEqual(forFew);
      }
    }
  });
});

test('PUT /product_tags/:id takes the statements of the GraphQL it stands for', async () => {
  const [first = 0, second = 0] = small.products;
  const { id } = await surfaces.REST.create(app.client, { name_en: 'Before', item_ids: [first] }, small);
  const rest = await statementsOf(() =>
    surfaces.REST.update(app.client, id, { name_en: 'After', item_ids: [second] }, small),
  );
  const graphql = await statementsOf(() =>
    surfaces.GraphQL.update(app.client, id, { name_en: 'Later', item_ids: [first] }, small),
  );
  expect(rest).toEqual(graphql);
});
