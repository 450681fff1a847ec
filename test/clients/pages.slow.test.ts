import { afterAll, describe, expect, test, vi } from 'vitest';
import { startApp, use } from '../support/test-app.ts';

interface Node {
  id: number;
  nameEn: string;
}

type Json = Record<string, unknown>;

interface Screens {
  list(
    query: Query,
    listOf: (data: never) => unknown,
  ): { newest: Node[] | undefined; more(after?: string): Promise<void> };
  watch(query: Query): { newest: Json | undefined };
  // biome-ignore lint/suspicious/noExplicitAny: the data of any mutation
  mutate(operation: { text: string; variables: object; optimistic?: object | undefined }): Promise<any>;
}

interface Query {
  text: string;
  variables: object;
}

type Open = (url: string, headers: object, fetch: typeof globalThis.fetch) => Screens;

// The clients have their own package, which `npm run test:all` installs.
const path = new URL('./screens.js', import.meta.url).href;
const { screens }: { screens: Record<string, Open> } = await import(path);

const app = use(await startApp({ RATE_LIMIT: 'off' }));
const warnings = vi.spyOn(console, 'warn');
afterAll(() => warnings.mockRestore());

const list = (name: string, args: string, fields: string) =>
  `${name}(first: $first, after: $after${args}) { totalCount nodes { id nameEn ${fields} } pageInfo { hasNextPage endCursor } }`;
const query = (name: string, text: string, more = '') =>
  `query ${name}($first: Int = 20, $after: String${more}) { ${text} }`;

/** The screen: two lists of three pages, one of them by name; a tag with its items; items with their tags; their number. */
const texts = {
  Tags: query('Tags', list('productTags', '', 'itemCount')),
  Sorted: query('Sorted', list('productTags', ', orderBy: NAME_EN', 'itemCount')),
  Detail: query(
    'Detail',
    `productTag(id: $id) { id nameEn version itemCount ${list('items', '', '')} }`,
    ', $id: Int!',
  ),
  Picker: query('Picker', list('items', ', itemType: PRODUCT', 'tags(first: 25) { nodes { id nameEn } }')),
  Tagged: 'query Tagged { items(first: 100, tagged: true) { totalCount nodes { id } } }',
};

const payload = 'productTag { id nameEn nameAr version itemCount }';
const changed = 'changedItems { id tags(first: 25) { nodes { id nameEn } } }';
const rest = 'userErrors { code message }';
const mutations = {
  rename: `mutation Rename($id: Int!, $name: String!) { updateProductTag(id: $id, input: { nameEn: $name }) {
    ${payload} ${rest} } }`,
  create: `mutation Create($name: String!) { createProductTag(input: { nameEn: $name }) {
    ${payload} changedItems { id } ${rest} } }`,
  remove: `mutation Remove($id: Int!, $items: [Int!]!) { removeProductTagItems(id: $id, itemIds: $items) {
    ${payload} ${changed} ${rest} } }`,
  add: `mutation Add($id: Int!, $items: [Int!]!) { addProductTagItems(id: $id, itemIds: $items) {
    ${payload} ${changed} ${rest} } }`,
  set: `mutation Set($item: Int!, $tags: [Int!]!) { setItemTags(itemId: $item, productTagIds: $tags) {
    item { id tags(first: 25) { nodes { id nameEn itemCount version } } } ${rest} } }`,
  delete: `mutation Delete($id: Int!) { deleteProductTag(id: $id) { deletedProductTagId productTag { id }
    changedItems { id } ${rest} } }`,
};

type Step = keyof typeof mutations;

/** The requests of each mutation, besides itself: none for what the response or the cache knows. */
type Requests = Record<Step, Partial<Record<keyof typeof texts, number>>>;

// The document cache knows types alone, and TanStack Query has no objects.
const everything = { Tags: 3, Sorted: 3, Detail: 1, Picker: 3, Tagged: 1 };
// Pages are queries of their own: after a page that ends elsewhere, the next ones are read once more.
const moved = { Sorted: 5 };

const cases: [name: string, requests: Requests, isOptimistic: Step[]][] = [
  [
    'Apollo Client',
    {
      rename: { Sorted: 1 },
      create: { Sorted: 1 },
      add: { Detail: 1, Tagged: 1 },
      remove: { Detail: 1, Tagged: 1 },
      // The tags that the item has lost are not in the response.
      set: { Tags: 1, Sorted: 1, Detail: 1, Tagged: 1 },
      delete: { Tagged: 1 },
    },
    ['rename', 'create', 'add', 'remove', 'set', 'delete'],
  ],
  [
    "urql's document cache",
    {
      rename: { ...everything, ...moved },
      create: { ...everything, ...moved },
      add: everything,
      remove: everything,
      set: everything,
      delete: { ...everything, ...moved, Tags: 5 },
    },
    [],
  ],
  [
    "urql's graphcache",
    {
      rename: moved,
      create: { ...moved, Tags: 3 },
      add: { Detail: 1, Tagged: 1 },
      remove: { Detail: 1, Tagged: 1 },
      set: { Tags: 3, Sorted: 3, Detail: 1, Tagged: 1 },
      delete: { ...moved, Tags: 5, Picker: 1, Tagged: 1 },
    },
    ['rename', 'add', 'remove', 'set'],
  ],
  [
    'TanStack Query',
    {
      rename: everything,
      create: everything,
      add: everything,
      remove: everything,
      set: everything,
      delete: everything,
    },
    ['rename'],
  ],
];

async function tenantWithTags() {
  const tenant = await app.createTenant({ products: 70 });
  const names = Array.from({ length: 70 }, (_, index) => `Tag ${String(index).padStart(2, '0')}`);
  await app.db
    .insertInto('productTags')
    .values(names.map((nameEn) => ({ companyId: tenant.companyId, nameEn, nameAr: null })))
    .execute();
  const tags = await app.db
    .selectFrom('productTags')
    .select('id')
    .where('companyId', '=', tenant.companyId)
    .orderBy('id')
    .execute();
  const links = tenant.products
    .slice(0, 30)
    .map((itemId) => ({ companyId: tenant.companyId, productTagId: tags[1]?.id ?? 0, itemId }));
  await app.db.insertInto('productTaggings').values(links).execute();
  return { ...tenant, tags: tags.map(({ id }) => id) };
}

const plain = (data: unknown) =>
  data && JSON.parse(JSON.stringify(data, (key, value) => (key === '__typename' ? undefined : value)));

describe.each(cases)('%s', (client, requests, optimisticSteps) => {
  const open = screens[client] as Open;

  test.each(optimisticSteps.length > 0 ? [false, true] : [false])(
    'keeps lists of three pages right with few requests (optimistic: %s)',
    async (isOptimistic) => {
      const tenant = await tenantWithTags();
      const [first = 0, tagId = 0] = tenant.tags;
      const sent: string[] = [];
      let pending = 0;
      let mayRespond: Promise<unknown> = Promise.resolve();
      const counting = async (input: string | URL | Request, init?: RequestInit) => {
        const body = String(init?.body ?? new URL(String(input)).searchParams.get('query'));
        const [, kind, name = ''] = /(query|mutation) (\w+)/.exec(body) ?? [];
        sent.push(name);
        pending += 1;
        try {
          const response = await fetch(input, init);
          if (kind === 'mutation') await mayRespond;
          return response;
        } finally {
          pending -= 1;
        }
      };
      const screen = open(`${app.url}/graphql`, { Authorization: `Bearer ${tenant.token}` }, counting);
      const settle = async () => {
        await expect.poll(() => pending).toBe(0);
        await new Promise((resolve) => setTimeout(resolve, 20));
        if (pending > 0) await settle();
      };

      // biome-ignore lint/suspicious/noExplicitAny: the data of the queries
      const lists: Record<string, [ReturnType<Screens['list']>, (data: any) => any]> = {};
      // biome-ignore lint/suspicious/noExplicitAny: as above
      const show = (name: keyof typeof texts, listOf: (data: any) => any) => {
        lists[name] = [screen.list({ text: texts[name], variables: { id: tagId } }, listOf as never), listOf];
      };
      show('Tags', (data) => data.productTags);
      show('Sorted', (data) => data.productTags);
      show('Picker', (data) => data.items);
      const detail = screen.watch({ text: texts.Detail, variables: { id: tagId } });
      const tagged = screen.watch({ text: texts.Tagged, variables: {} });
      await settle();
      for (const more of [1, 2]) {
        for (const [shown] of Object.values(lists)) await shown.more();
        await settle();
        for (const [shown] of Object.values(lists)) expect(shown.newest).toHaveLength(20 * (more + 1));
      }

      // Every list shows what the service has, in as many rows as before.
      const expectRight = async (least = 60) => {
        for (const [name, [shown, listOf]] of Object.entries(lists)) {
          const count = shown.newest?.length ?? 0;
          expect(count, name).toBeGreaterThanOrEqual(least);
          const text = texts[name as keyof typeof texts];
          const { data } = (await app.client.graphql(text, { first: count, id: tagId }, tenant)).body;
          expect(plain(shown.newest), name).toEqual(listOf(data).nodes);
        }
        // biome-ignore lint/suspicious/noExplicitAny: the data of the query
        const first = (detail.newest as any)?.productTag.items.nodes.length;
        const { data } = (await app.client.graphql(texts.Detail, { first, id: tagId }, tenant)).body;
        expect(plain(detail.newest)).toEqual(data);
        expect(plain(tagged.newest)).toEqual((await app.client.graphql(texts.Tagged, {}, tenant)).body.data);
      };
      await expectRight();

      const run = async (step: Step, variables: object, shows: () => unknown, expected: object, least?: number) => {
        sent.splice(0);
        const gate = Promise.withResolvers<void>();
        const optimistic = isOptimistic && optimisticSteps.includes(step) ? expected : undefined;
        if (optimistic) mayRespond = gate.promise;
        const done = screen.mutate({ text: mutations[step], variables, optimistic });
        if (optimistic) await expect.poll(shows).toBe(true);
        gate.resolve();
        const data = await done;
        await settle();
        expect(shows(), step).toBe(true);
        const [, ...others] = sent.splice(0);
        const counts = [...Map.groupBy(others, (name) => name)].map(([name, { length }]) => [name, length]);
        expect(Object.fromEntries(counts), step).toEqual(requests[step]);
        await expectRight(least);
        return data;
      };

      const tag = { __typename: 'ProductTag', id: tagId, nameEn: 'Aaa', nameAr: null, version: 'v', itemCount: 30 };
      const done = { __typename: 'ProductTagPayload', userErrors: [] };
      const nameOf = (id: number) => lists.Tags?.[0].newest?.find((node) => node.id === id)?.nameEn;
      await run('rename', { id: tagId, name: 'Zzz' }, () => nameOf(tagId) === 'Zzz', {
        updateProductTag: { ...done, productTag: { ...tag, nameEn: 'Zzz' } },
      });
      await run('rename', { id: tagId, name: 'Aaa' }, () => nameOf(tagId) === 'Aaa', {
        updateProductTag: { ...done, productTag: tag },
      });
      await run('create', { name: 'Another' }, () => true, {
        createProductTag: {
          ...done,
          productTag: { ...tag, id: -1, nameEn: 'Another', itemCount: 0 },
          changedItems: [],
        },
      });
      const tagsOf = (id: number) => {
        const node = lists.Picker?.[0].newest?.find((each) => each.id === id) as unknown as { tags: { nodes: Node[] } };
        return node?.tags.nodes.map((each) => each.id);
      };
      const [, , third = 0] = tenant.products;
      const item = (tags: number[]) => ({
        __typename: 'Item',
        id: third,
        tags: {
          __typename: 'ProductTagConnection',
          nodes: tags.map((id) => ({ ...tag, id, nameEn: id === tagId ? 'Aaa' : 'Tag 00' })),
        },
      });
      await run('remove', { id: tagId, items: [third] }, () => tagsOf(third)?.length === 0, {
        removeProductTagItems: { ...done, productTag: { ...tag, itemCount: 29 }, changedItems: [item([])] },
      });
      await run('add', { id: tagId, items: [third] }, () => tagsOf(third)?.join() === `${tagId}`, {
        addProductTagItems: { ...done, productTag: { ...tag, itemCount: 30 }, changedItems: [item([tagId])] },
      });
      await run('set', { item: third, tags: [first] }, () => tagsOf(third)?.join() === `${first}`, {
        setItemTags: { __typename: 'ItemPayload', userErrors: [], item: item([first]) },
      });
      await run(
        'delete',
        { id: first },
        () => nameOf(first) === undefined,
        {
          deleteProductTag: {
            ...done,
            __typename: 'DeleteProductTagPayload',
            deletedProductTagId: first,
            productTag: { __typename: 'ProductTag', id: first },
            changedItems: [{ __typename: 'Item', id: third }],
          },
        },
        59,
      );
      expect(warnings).not.toHaveBeenCalled();
    },
  );
});
