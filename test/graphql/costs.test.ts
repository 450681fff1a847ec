import { isEnumType } from 'graphql';
import { describe, expect, test } from 'vitest';
import { costOfScan as scan } from '../../src/surfaces/request/cost.ts';
import { readDocument } from '../support/documents.ts';
import { schema as released } from '../support/schema.ts';
import { copyTemplate, startApp, use } from '../support/test-app.ts';

const database = use(await copyTemplate());
// The rejection of a document has its cost.
const app = use(await startApp({ RATE_LIMIT: 'off', GRAPHQL_MAX_COST: '1', ...database.env }));
const tenant = await app.createTenant();

async function calculateCost(query: string, variables: object = {}) {
  const { body } = await app.client.graphql(query, variables, tenant);
  const limit = { name: 'cost', max: 1, found: expect.any(Number) };
  expect(body.errors).toMatchObject([{ extensions: { code: 'QUERY_TOO_COMPLEX', limit } }]);
  const extensions: object | undefined = body.errors?.[0]?.extensions;
  return (extensions as { limit?: { found?: number } } | undefined)?.limit?.found;
}

/** Of 100 entries with one field each. */
const page = 1 + 1 + 100;

const lists: Record<string, [condition: string, cost: number][]> = {
  items: [
    ['', 0],
    ['orderBy: NAME_EN', 0],
    ['after: "aXRlbToy"', 0],
    ['search: "ka"', scan],
    ['search: "  "', 0],
    ['search: null', 0],
    ['reverse: true', 0],
    ['updatedAfter: "2026-01-01T00:00:00Z"', scan],
    ['updatedAfter: null', 0],
    ['exceptProductTagIds: [1]', scan],
    ['tagged: true', scan],
    ['tagged: false', scan],
    ['tagged: null', 0],
    ['productTagIds: [1]', scan],
    ['productTagIds: []', scan],
    ['productTagIds: null', 0],
    ['itemType: PRODUCT', 0],
    ['itemType: PRODUCT, orderBy: NAME_AR', scan],
    ['itemType: null, orderBy: NAME_AR', 0],
    ['search: "ka", tagged: false, productTagIds: [1, 2]', 3 * scan],
  ],
  productTags: [
    ['', 0],
    ['orderBy: NAME_AR', 0],
    ['orderBy: ITEM_COUNT', scan],
    ['orderBy: ITEM_COUNT, reverse: true, search: "ka"', 2 * scan],
    ['after: "dGFnOjI"', 0],
    ['search: "ka"', scan],
    ['search: "  "', 0],
  ],
};

/** An argument of each type that filters have. */
const values: Record<string, string> = {
  Boolean: 'true',
  Int: '1',
  '[Int!]': '[1]',
  String: '"ka"',
  DateTime: '"2026-01-01T00:00:00Z"',
};

describe.each(Object.entries(lists))('%s', (list, conditions) => {
  const entries = (condition: string, more = '') => `{ ${list}(first: 100, ${condition}) { nodes { id } ${more} } }`;

  test.each(conditions)('(%s) costs %d more', async (condition, cost) => {
    expect(await calculateCost(entries(condition))).toBe(page + cost);
  });

  test.each(conditions)(
    'its count with (%s) costs the same again, %d, and at least a search',
    async (condition, cost) => {
      const count = Math.max(cost, scan);
      expect(await calculateCost(entries(condition, 'totalCount a: totalCount'))).toBe(page + cost + 2 * (1 + count));
    },
  );

  const { args = [] } = released.getQueryType()?.getFields()[list] ?? {};
  const filters = args.filter(({ name }) => !['first', 'after', 'orderBy', 'reverse'].includes(name));

  test.each(filters.map(({ name, type, description }) => [name, type, description] as const))(
    'the cost of the argument %s matches its description',
    async (name, type, description) => {
      const value = isEnumType(type) ? type.getValues()[0]?.name : values[String(type)];
      expect(value, `Add a valid ${type} to \`values\``).toBeDefined();
      const [, cost = '0', inOrder] = /Costs ([\d,]+)( when sorted by name)?\.$/.exec(description ?? '') ?? [];
      expect(await calculateCost(entries(`${name}: ${value}, orderBy: NAME_EN`))).toBe(
        page + Number(cost.replace(',', '')),
      );
      if (inOrder) expect(await calculateCost(entries(`${name}: ${value}`))).toBe(page);
    },
  );
});

test.each<[cost: number, query: string]>([
  [1 + 2, '{ item(id: 1) { id nameEn } }'],
  [1 + 2 * 5_000, '{ productTag(id: 1) { itemIds a: itemIds } }'],
  [1 + 3 * 2, '{ itemsByIds(ids: [1, 2, 2]) { id nameEn } }'],
  [1 + 2 * (1 + 5_000), '{ productTagsByIds(ids: [1, 2]) { id itemIds } }'],
  // The fields of a page count once, those of an entry `first` times.
  [
    1 + 1 + 1 + 3 + 1 + 100 + 1 + 100 * 3,
    `{ item(id: 1) { tags(first: 100) {
    totalCount pageInfo { hasNextPage endCursor } nodes { id } edges { cursor node { id } } } } }`,
  ],
  [1 + 1 + 2 * (1 + 7), '{ item(id: 1) { tags(first: 7) { nodes { id } a: nodes { id } } } }'],
  [1 + 1 + 1 + 3 * (1 + 1 + 25), '{ productTag(id: 1) { items(first: 3) { nodes { tags { nodes { id } } } } } }'],
  [1 + 1 + 1 + 2 * (1 + 4 * 2), '{ company { branches(first: 2) { nodes { services { id code } } } } }'],
  [1 + 7 * 2, '{ lookups(key: WEEK_DAYS) { key value } }'],
  [1 + 40, '{ lookups(key: CUISINE_TYPES) { key } }'],
  // A page reads its rows, whatever is selected of them.
  [1 + 1 + 7 + 1, '{ item(id: 1) { tags(first: 7) { totalCount } } }'],
  [1 + 4 * 2, '{ services { id name } }'],
  [10 + 2, '{ timezone(name: "Asia/Riyadh") { id name } }'],
  // A value has four names at its cost.
  [1 + 4 * (4 + 2 * 10), '{ services { id a: id b: id c: id d: id e: id } }'],
  [
    1 + 5 + 1 * 10 + 2,
    '{ item(id: 1) { ...A } item(id: 1) { w: nameEn x: nameEn y: nameEn } a: item(id: 1) { id } } fragment A on Item { nameEn z: nameEn b: id }',
  ],
  // Fields with the same name in the response are one.
  [1 + 4 * 2, '{ services { id ...A id } services { name } } fragment A on Service { id name }'],
  [
    1 + 1 + 10 * (1 + 1 + 1 + 1),
    `mutation { deleteProductTag(id: 1) {
    userErrors { code message field itemIds } } }`,
  ],
  [2 + 1 + 1 + 1, 'mutation { removeProductTagItems(id: 1, itemIds: [1, 2]) { productTag { id } } }'],
  [3 + 1 + 1 + 1, 'mutation { createProductTag(input: { nameEn: "A", itemIds: [1, 2, 3] }) { productTag { id } } }'],
  [1 + 1 + 1, 'mutation { updateProductTag(id: 1, input: { itemIds: [] }) { productTag { id } } }'],
  [
    1 + 1 + 1 + 1 + 3,
    'mutation { updateProductTag(id: 1, input: { nameEn: "A" }) { productTag { items(first: 3) { nodes { id } } } } }',
  ],
])('%d is the cost of %s', async (cost, query) => {
  expect(await calculateCost(query)).toBe(cost);
});

test('an id in a mutation costs 1, and its errors half of that', async () => {
  const query = `mutation ($ids: [Int!]!) {
    updateProductTag(id: 1, input: { itemIds: $ids }) { productTag { id } userErrors { itemIds } } }`;
  const ids = Array.from({ length: 10_000 }, (_, index) => index);
  expect(await calculateCost(query, { ids })).toBe(10_000 + 1 + 1 + 1 + 1 + 10 * (1 + 500));
});

const examples = (await readDocument('docs/partners/limits.md')).matchAll(/^\| `(\{[^`]+\})` \| [^|]*= ([\d,]+) \|$/gm);

test.each([...examples].map(([, query = '', cost = '']) => [query, cost] as const))(
  'the guide has the cost of %s, %s',
  async (query, cost) => {
    expect((await calculateCost(query))?.toLocaleString('en')).toBe(cost);
  },
);
