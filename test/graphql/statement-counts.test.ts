import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { surfaces, writes } from '../support/product-tag.ts';
import { insertItems, type Tenant } from '../support/tenant.ts';
import { sharedApp } from '../support/test-app.ts';

const few = 3;
const many = 10 * few;

const app = await sharedApp();
const small = await tenantWith(few);
const large = await tenantWith(many);

// A tenant with `count` products of two tags each, `count` tags, and `count` branches in different countries.
async function tenantWith(count: number): Promise<Tenant> {
  const tenant = await app.createTenant({ products: count });
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

// Sorted, because concurrent statements end in any order. Without lookups of callers, which are remembered for a second.
async function recordStatements(run: () => Promise<unknown>): Promise<string[]> {
  app.statements.splice(0);
  await run();
  const statements = app.statements.splice(0).filter((text) => !text.includes('token_hash ='));
  return statements.toSorted();
}

describe('ten times the rows take the same number of statements', () => {
  const inner = 'tags(first: 1) { nodes { version items(first: 2) { nodes { tags { nodes { version } } } } } }';
  const address = 'address { city { nameEn country { nameEn } } country { nameEn } }';
  test.each([
    `{ items(first: 25) { nodes { ${inner} } } }`,
    `{ items(first: 25) { edges { node { ${inner} } } } }`,
    `{ items(first: 25) { nodes { createdAt updatedAt a: hasProductTag(id: 1) b: hasProductTag(id: 2)
      tags(first: 1) { nodes { createdAt updatedAt } } } } }`,
    `{ itemsByIds(ids: [IDS]) { nameEn createdAt ${inner} } }`,
    `{ company { ${address} branches(first: 100) { nodes { ${address} services { code } } } } }`,
  ])('in %s', async (query) => {
    const lengths: number[] = [];
    const ask = async (tenant: Tenant) => {
      const { body } = await app.client.graphql(query.replace('IDS', tenant.products.join()), {}, tenant);
      expect(body.errors).toBeUndefined();
      lengths.push(JSON.stringify(body.data).length);
    };
    const forFew = await recordStatements(() => ask(small));
    expect(forFew).not.toEqual([]);
    expect(await recordStatements(() => ask(large))).toEqual(forFew);
    const [short = 0, long] = lengths;
    expect(long).toBeGreaterThan(5 * short);
  });

  test('in many aliases of one field, each with its own page', async () => {
    const askFor = (count: number) => {
      const lengths = Array.from({ length: count }, (_, index) => index + 1);
      const aliases = lengths.map((first) => `a${first}: company { id branches(first: ${first}) { nodes { id } } }`);
      return recordStatements(async () => {
        const { body } = await app.client.graphql(`{ ${aliases.join(' ')} }`, {}, large);
        expect(lengths.map((first) => body.data[`a${first}`].branches.nodes.length)).toEqual(lengths);
      });
    };
    expect(await askFor(20)).toEqual(await askFor(1));
  });

  test.each(Object.keys(writes) as (keyof typeof writes)[])('in writes on %s', async (surface) => {
    const { create, update } = writes[surface];
    const tag = ({ products }: Tenant) => ({ name_en: 'Spicy', item_ids: products });
    // With an idempotency key, also in a retry.
    const createOnce = (tenant: Tenant) =>
      recordStatements(() => create(app.client, tag(tenant), { ...tenant, idempotencyKey: `order of ${surface}` }));
    const created = [await createOnce(small), await createOnce(small)] as const;
    expect(created[1].length).toBeLessThan(created[0].length);
    expect([await createOnce(large), await createOnce(large)]).toEqual(created);
    for (const isConditional of [true, false]) {
      const updateAll = async (tenant: Tenant, count: number) => {
        const item_ids = await insertItems(app.db, tenant.companyId, 'product', count);
        const { tag: { id = 0 } = {}, version } = await create(app.client, tag(tenant), tenant);
        const options = { token: tenant.token, ...(isConditional && { ifMatch: version }) };
        return recordStatements(() => update(app.client, id, { name_en: 'After', item_ids }, options));
      };
      const updated = await updateAll(small, few);
      expect(updated).not.toEqual([]);
      expect(await updateAll(large, many)).toEqual(updated);
    }
  });
});
