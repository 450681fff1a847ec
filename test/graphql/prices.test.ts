import { describe, expect, test } from 'vitest';
import { copyTemplate, type Env, startApp, use } from '../support/test-app.ts';

const database = use(await copyTemplate());
const start = (env: Env = {}) => startApp({ RATE_LIMIT: 'off', ...database.env, ...env });
// Each document below costs more than this, so the rejection has its price.
const priced = use(await start({ GRAPHQL_MAX_COST: '60' }));
const tenant = await priced.createTenant();

async function priceOf(query: string, variables: object = {}) {
  const { body } = await priced.client.graphql(query, variables, tenant);
  const [error] = body.errors ?? [];
  expect(error?.extensions).toMatchObject({ code: 'QUERY_TOO_COMPLEX', limit: { name: 'cost', max: 60 } });
  return (error?.extensions as { limit?: { found?: number } }).limit?.found;
}

/** A page of 100 entries with one field each. */
const page = 1 + 1 + 100;
const scan = 2_500;

describe.each<[list: string, conditions: [condition: string, price: number][]]>([
  [
    'items',
    [
      ['', 0],
      ['orderBy: NAME_EN', 0],
      ['after: "aXRlbToy"', 0],
      ['search: "ka"', scan],
      ['search: "  "', 0],
      ['search: null', 0],
      ['tagged: true', scan],
      ['tagged: false', scan],
      ['tagged: null', 0],
      ['productTagIds: [1]', scan],
      ['productTagIds: []', scan],
      ['productTagIds: null', 0],
      ['itemType: PRODUCT', 0],
      ['itemType: PRODUCT, orderBy: NAME_AR', scan],
      ['ids: [1]', 0],
      ['search: "ka", tagged: false, productTagIds: [1, 2]', 3 * scan],
      // Conditions on given items read these alone.
      ['ids: [1], search: "ka", tagged: true, productTagIds: [1], itemType: PRODUCT, orderBy: NAME_EN', 0],
    ],
  ],
  [
    'productTags',
    [
      ['', 0],
      ['orderBy: NAME_AR', 0],
      ['after: "dGFnOjI"', 0],
      ['search: "ka"', scan],
      ['search: "  "', 0],
    ],
  ],
])('%s', (list, conditions) => {
  test.each(conditions)('(%s) costs %d more, and its number as much again', async (condition, price) => {
    const entries = (more: string) => `{ ${list}(first: 100, ${condition}) { nodes { id } ${more} } }`;
    expect(await priceOf(entries(''))).toBe(page + price);
    const count = condition.includes('ids:') ? 0 : Math.max(price, scan);
    expect(await priceOf(entries('totalCount a: totalCount'))).toBe(page + price + 2 * (1 + count));
  });

  test('every argument has a price above', async () => {
    const { data } = (await tenantless(`{ __type(name: "Query") { fields { name args { name } } } }`)).body;
    const { args } = data.__type.fields.find(({ name }: { name: string }) => name === list);
    const tried = conditions.map(([condition]) => condition).join();
    expect(args.filter(({ name }: { name: string }) => name !== 'first' && !tried.includes(`${name}: `))).toEqual([]);
  });
});

const app = use(await start());
const tenantless = (query: string) => app.client.graphql(query);
