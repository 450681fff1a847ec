import { expect, test } from 'vitest';
import { sharedApp } from '../support/test-app.ts';

const app = await sharedApp();
const tenant = await app.createTenant({ products: 30 });
const ids = tenant.products.join();
const tags = await Promise.all(
  Array.from({ length: 27 }, async (_, index) => {
    const call = `createProductTag(input: { nameEn: "Tag ${index}", itemIds: [${ids}] }) { productTag { id } }`;
    const { body } = await app.client.graphql(`mutation { ${call} }`, {}, tenant);
    return body.data.createProductTag.productTag.id;
  }),
);

test('every argument with a default accepts null', async () => {
  const query = '{ __schema { types { name fields { name args { name defaultValue type { kind } } } } } }';
  const { data } = (await app.client.graphql(query)).body;
  type Arg = { name: string; defaultValue: unknown; type: { kind: string } };
  type Type = { name: string; fields: { name: string; args: Arg[] }[] | null };
  const types: Type[] = data.__schema.types.filter(({ name }: Type) => !name.startsWith('__'));
  const args = types.flatMap(({ name, fields }) =>
    (fields ?? []).flatMap((field) => field.args.map((arg) => ({ ...arg, name: `${name}.${field.name}.${arg.name}` }))),
  );
  const withDefault = args.filter(({ defaultValue }) => defaultValue !== null);
  expect(withDefault.length).toBeGreaterThan(5);
  expect(withDefault.filter(({ type }) => type.kind === 'NON_NULL')).toEqual([]);
});

const first = '$first: Int';
test.each<[variables: string, query: string]>([
  ['', '{ items(first: NULL, orderBy: NULL) { nodes { id } pageInfo { endCursor } } }'],
  [first, '{ items(first: NULL) { nodes { id } pageInfo { endCursor } } }'],
  ['$order: ItemOrder', '{ items(orderBy: NULL) { nodes { id } pageInfo { endCursor } } }'],
  ['$order: ProductTagOrder', '{ productTags(orderBy: NULL) { nodes { id } pageInfo { endCursor } } }'],
  [first, '{ productTags(first: NULL) { nodes { id } } }'],
  [first, `{ item(id: ${tenant.products[0]}) { tags(first: NULL) { nodes { id } } } }`],
  [first, `{ productTag(id: ${tags[0]}) { items(first: NULL) { nodes { id } } } }`],
  [first, '{ item(id: 0) { tags(first: NULL) { nodes { id } } } }'],
  [first, '{ productTag(id: 0) { items(first: NULL) { nodes { id } } } }'],
  [first, '{ company { branches(first: NULL) { nodes { id } } } }'],
  ['$page: Int', '{ lookups(key: CUISINE_TYPES, page: NULL) { value } }'],
])('(%s) %s: null is the default', async (variable, query) => {
  const expected = (await app.client.graphql(query.replace(/ ?\w+: NULL,?/g, '').replace('()', ''), {}, tenant)).body;
  expect(expected.errors).toBeUndefined();
  const name = variable.split(':')[0] || 'null';
  const document = (variable ? `query (${variable}) ` : '') + query.replaceAll('NULL', name);
  // The second and the third run are compiled.
  for (const variables of [{}, { [name.slice(1)]: null }, {}, { [name.slice(1)]: null }]) {
    expect((await app.client.graphql(document, variables, tenant)).body).toEqual(expected);
  }
});

test('an empty cursor counts as absent', async () => {
  const query = `query ($after: String) { items(first: 2, after: $after) { nodes { id } }
    productTags(first: 2, after: $after, orderBy: NAME_EN) { nodes { id } } }`;
  const expected = (await app.client.graphql(query, {}, tenant)).body;
  expect(expected.data.items.nodes).toHaveLength(2);
  expect((await app.client.graphql(query, { after: '' }, tenant)).body).toEqual(expected);
});

test('null costs the same as the default', async () => {
  // With the default of 25 the entries of the innermost list make 62,500 of it; one entry of each would be cheap.
  const query = `query ($first: Int) { items(first: 100) { nodes { tags(first: $first) { nodes { items(first: $first) {
    nodes { id } } } } } } }`;
  const limit = { name: 'cost', found: 1 + 1 + 100 * (1 + 1 + 25 * (1 + 1 + 25)) };
  for (const variables of [{}, { first: null }]) {
    const { body } = await app.client.graphql(query, variables, tenant);
    expect(body.errors).toMatchObject([{ extensions: { limit } }]);
  }
});
