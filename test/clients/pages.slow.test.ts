import { afterAll, expect, test, vi } from 'vitest';
import { startApp, use } from '../support/test-app.ts';

interface Node {
  id: number;
}

interface Query {
  text: string;
  variables: object;
}

interface Screens {
  list(
    query: Query,
    listOf: (data: never) => unknown,
  ): { newest: Node[] | undefined; more(after?: string): Promise<void> };
  mutate(operation: Query): Promise<unknown>;
}

type Open = (url: string, headers: object, fetch: typeof globalThis.fetch) => Screens;

// The clients have their own package, which `npm run test:all` installs.
const path = new URL('./screens.js', import.meta.url).href;
const { screens }: { screens: Record<string, Open> } = await import(path);

const app = use(await startApp({ RATE_LIMIT: 'off' }));
const warnings = vi.spyOn(console, 'warn');
afterAll(() => warnings.mockRestore());

const list = (name: string, args: string, fields: string) => `query List($first: Int = 20, $after: String) {
  ${name}(first: $first, after: $after${args}) { totalCount nodes { id nameEn ${fields} } pageInfo { hasNextPage endCursor } } }`;

/** The items of a tag; TAG is its id. */
const detail = `query Detail($first: Int = 20, $after: String) { productTag(id: TAG) { id
  items(first: $first, after: $after) { nodes { id } pageInfo { hasNextPage endCursor } } } }`;

/** Tags, also by name, and items with their tags are lists of three pages. The others are empty at first. */
const texts: [name: string, text: string, length: number][] = [
  ['productTags', list('productTags', '', 'itemCount'), 60],
  ['productTags', list('productTags', ', orderBy: NAME_EN', 'itemCount'), 60],
  ['productTags', list('productTags', ', search: "another"', 'version'), 0],
  ['items', list('items', ', itemType: PRODUCT', 'tags(first: 25) { nodes { id nameEn } }'), 60],
  ['items', list('items', ', tagged: true', 'itemType'), 0],
  ['productTag', detail, 0],
];

const payload = 'productTag { id nameEn nameAr version itemCount } userErrors { code message }';
const changed = 'changedItems { id tags(first: 25) { nodes { id nameEn } } }';
const itemTags = 'item { id tags(first: 25) { nodes { id nameEn itemCount version } } }';

// biome-ignore lint/suspicious/noExplicitAny: the data of any query
type Data = any;

test.each(['Apollo Client', "urql's document cache", "urql's graphcache", 'TanStack Query'])(
  '%s keeps lists of three pages right',
  async (client) => {
    const tenant = await app.createTenant({ products: 60 });
    const { companyId, products } = tenant;
    const rows = Array.from({ length: 60 }, (_, index) => ({ companyId, nameEn: `Tag ${index + 10}`, nameAr: null }));
    const tags = await app.db.insertInto('productTags').values(rows).returning('id').execute();
    const [first, second, last] = [tags[0]?.id, tags[1]?.id, tags.at(-1)?.id];
    let pending = 0;
    const counting = (input: string | URL | Request, init?: RequestInit) => {
      pending += 1;
      return fetch(input, init).finally(() => {
        pending -= 1;
      });
    };
    const open = screens[client] as Open;
    const screen = open(`${app.url}/graphql`, { Authorization: `Bearer ${tenant.token}` }, counting);
    const lists = texts.map(([name, template, length]) => {
      const text = template.replace('TAG', String(second));
      const listOf = (data: Data) => data[name].items ?? data[name];
      return { text, length, listOf, shown: screen.list({ text, variables: {} }, listOf as never) };
    });
    const plain = (nodes: unknown) =>
      JSON.parse(JSON.stringify(nodes, (key, value) => (key === '__typename' ? undefined : value)));

    /** Waits until every list shows what the service has, in as many rows as before, less a deleted one. */
    const expectRight = async (deleted = 0) => {
      for (const { text, length, listOf, shown } of lists) {
        const nodes = async () => {
          const first = Math.max(shown.newest?.length ?? 0, 20);
          return listOf((await app.client.graphql(text, { first }, tenant)).body.data).nodes;
        };
        await expect.poll(async () => [pending, plain(shown.newest)]).toEqual([0, await nodes()]);
        expect(shown.newest?.length).toBeGreaterThanOrEqual(length - deleted);
      }
    };
    for (const count of [20, 40, 60]) {
      const counts = lists.map(({ length }) => Math.min(length, count));
      await expect.poll(() => lists.map(({ shown }) => shown.newest?.length)).toEqual(counts);
      for (const { length, shown } of lists) if (count < length) await shown.more();
    }
    await expectRight();

    const id = { id: second };
    for (const [mutation, variables] of [
      ['updateProductTag(id: $id, input: { nameEn: "AAA" })', { id: last }, payload],
      ['createProductTag(input: { nameEn: "Another" })', {}, `${payload} changedItems { id }`],
      [`addProductTagItems(id: $id, itemIds: [${products[1]}])`, id, `${payload} ${changed}`],
      [`removeProductTagItems(id: $id, itemIds: [${products[1]}])`, id, `${payload} ${changed}`],
      [`setItemTags(itemId: ${products[2]}, productTagIds: [${second}])`, {}, itemTags],
      ['deleteProductTag(id: $id)', { id: first }, 'deletedProductTagId productTag { id } changedItems { id }'],
    ].map(([call, variables, fields]) => [`${call} { ${fields} }`, variables as { id?: number }] as const)) {
      const declared = 'id' in variables ? '($id: Int!)' : '';
      await screen.mutate({ text: `mutation Change${declared} { ${mutation} }`, variables });
      await expectRight(mutation.startsWith('delete') ? 1 : 0);
    }
    expect(warnings).not.toHaveBeenCalled();
  },
);
