import { expect, test } from 'vitest';
import { sharedApp } from '../support/test-app.ts';

const app = await sharedApp();
const tenant = await app.createTenant();
const headers = { 'X-Query-Cost': '1' };

test('X-Query-Cost: 1 returns the cost of the operation and the limit of the caller', async () => {
  const anonymous = await app.client.graphql('{ services { id name } }', {}, { headers });
  expect(anonymous.body.extensions).toEqual({ cost: { used: 9, max: 15_000 } });
  const create = 'mutation { createProductTag(input: { nameEn: "Spicy" }) { productTag { id } } }';
  const written = await app.client.graphql(create, {}, { headers, token: tenant.token });
  expect(written.body.extensions).toEqual({ cost: { used: 3, max: 50_000 } });
  expect(written.headers.get('vary')).toContain('X-Query-Cost');
});

test.each([{}, { 'X-Query-Cost': '0' }, { 'X-Query-Cost': 'true' }])(
  'other requests get no cost: %j',
  async (others) => {
    const { body } = await app.client.graphql('{ services { id name } }', {}, { headers: others });
    expect(body).toEqual({ data: { services: expect.any(Array) } });
  },
);

test('rejections have a cost too: over the limit, without a token, with an invalid argument', async () => {
  const beyond =
    '{ a: productTag(id: 1) { itemIds } b: items(first: 100) { nodes { tags(first: 100) { nodes { items(first: 100) { nodes { id } } } } } } }';
  const rejected = await app.client.graphql(beyond, {}, { headers, token: tenant.token });
  const { limit } = (rejected.body.errors?.[0]?.extensions ?? {}) as { limit?: { found: number } };
  expect(limit).toMatchObject({ name: 'cost', max: 50_000, found: expect.any(Number) });
  expect(rejected.body.extensions).toEqual({ cost: { used: limit?.found, max: 50_000 } });
  const anonymous = await app.client.graphql('{ items { nodes { id } } }', {}, { headers });
  expect(anonymous).toMatchObject({ status: 401, body: { extensions: { cost: { used: 27, max: 15_000 } } } });
  const invalid = await app.client.graphql('{ items(first: 0) { nodes { id } } }', {}, { headers, ...tenant });
  expect(invalid.body).toMatchObject({ errors: expect.any(Array), extensions: { cost: { max: 50_000 } } });
  const negative = await app.client.graphql('{ items(first: -100) { nodes { id } } }', {}, { headers, ...tenant });
  expect(negative.body.extensions).toEqual({ cost: { used: 2, max: 50_000 } });
  // The cost of an operation with invalid variables is unknown.
  const unknown = await app.client.graphql(
    'query ($id: Int!) { cities(countryId: $id) { id } }',
    { id: 'x' },
    { headers },
  );
  expect(unknown.body).not.toHaveProperty('extensions');
});

test('the response cache respects the header, and reference data costs at most 15,000', async () => {
  const query = '{ services { code nameAr } }';
  for (const token of [tenant.token, undefined]) {
    const { body } = await app.client.graphql(query, {}, { headers, token });
    expect(body.extensions).toMatchObject({ cost: { max: 15_000 } });
  }
  for (const asked of [true, false, true, false]) {
    const { body } = await app.client.graphql(query, {}, asked ? { headers } : {});
    expect('extensions' in body).toBe(asked);
    const read = await app.client.fetch<object>(
      'GET',
      `/graphql?query=${encodeURIComponent(query)}`,
      asked ? { headers } : {},
    );
    expect('extensions' in read.body).toBe(asked);
  }
});
