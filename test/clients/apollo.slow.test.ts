import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startApp, use } from '../support/test-app.ts';

// biome-ignore lint/suspicious/noExplicitAny: the data of any query
type Data = any;

interface Sent {
  query: string;
  variables: { first?: number; after?: string; search?: string };
}

interface Screen {
  watch(query: { text: string; variables?: object; fetchPolicy?: string }): {
    newest: Data;
    error?: Error;
    onChange?(): void;
    isLoading(): boolean;
    more(after: string): Promise<void>;
    search(variables: object): void;
    leave(): void;
  };
  mutate(operation: { text: string; variables?: object; optimistic?: object }): Promise<Data>;
  readScreen(): Promise<void>;
}

const path = new URL('./screens.js', import.meta.url).href;
const { screens } = await import(path);
const open: (url: string, headers: object, fetch?: typeof globalThis.fetch) => Screen = screens['Apollo Client'];

const app = use(await startApp({ RATE_LIMIT: 'off' }));

const pageInfo = 'pageInfo { hasPreviousPage hasNextPage endCursor }';
const tagsWith = (args = '', fields = 'id nameEn') => `query Tags($first: Int, $after: String) {
  productTags(first: $first, after: $after${args}) { totalCount nodes { ${fields} } ${pageInfo} } }`;
const tags = tagsWith();
const someTags = tagsWith(', search: "Tag 001"');
const sorted = tagsWith(', orderBy: NAME_EN');
const number = 'query Number { productTags { totalCount } }';
const found = tagsWith(', search: "Tag"');
const edges = tags.replace('nodes { id nameEn }', 'edges { node { id nameEn } }');
const byCount = tagsWith(', orderBy: ITEM_COUNT');
const itemsWith = (fields: string, variable = '') => `query Items(${variable}$first: Int, $after: String) {
  items(first: $first, after: $after, itemType: PRODUCT) { nodes { id ${fields} } ${pageInfo} } }`;
const picker = itemsWith('hasProductTag(id: $id)', '$id: Int!, ');
const pickerOfOther = itemsWith('hasProductTag(id: $other)', '$other: Int!, ');
const itemsOfTag = `query ItemsOfTag($id: Int!, $first: Int, $after: String) {
  productTag(id: $id) { id items(first: $first, after: $after) { nodes { id } ${pageInfo} } } }`;
const itemsOfOther = itemsOfTag.replaceAll('$id', '$other');
const tagsOfItem = 'query TagsOfItem($item: Int!) { item(id: $item) { id tags(first: 100) { nodes { id } } } }';
const beside = `query Beside($id: Int!, $other: Int!, $first: Int, $after: String) {
  items(first: $first, after: $after) { nodes { id hasProductTag(id: $id) } ${pageInfo} }
  productTag(id: $other) { id items(first: 3) { nodes { id } } } }`;
const detail = 'query Detail($id: Int!) { productTag(id: $id) { id nameEn itemCount version items { nodes { id } } } }';

const create =
  'mutation { createProductTag(input: { nameEn: "AAA" }) { productTag { id nameEn } changedItems { id } } }';
const createOnce = create.replace('createProductTag(', 'createProductTag(idempotencyKey: "a-key-of-this-tag", ');
const rename = `mutation Rename($id: Int!, $name: String!, $ifMatch: String) {
  updateProductTag(id: $id, input: { nameEn: $name }, ifMatch: $ifMatch) {
    productTag { id nameEn } current { id nameEn version itemCount } userErrors { code } } }`;
const update = `mutation Update($id: Int!, $itemIds: [Int!]) { updateProductTag(id: $id, input: { itemIds: $itemIds }) {
  productTag { id version itemCount } changedItems { id } } }`;
const change = (name: 'add' | 'remove') => `mutation Change($id: Int!, $itemIds: [Int!]!) {
  ${name}ProductTagItems(id: $id, itemIds: $itemIds) {
    productTag { id version itemCount } changedItems { id hasProductTag(id: $id) } } }`;
const [add, remove] = [change('add'), change('remove')];
const set = `mutation Set($item: Int!, $tags: [Int!]!) { setItemTags(itemId: $item, productTagIds: $tags) {
  item { id tags(first: 100) { nodes { id } } } userErrors { code productTagIds } } }`;
const deletion = `mutation Delete($id: Int!, $ifMatch: String) { deleteProductTag(id: $id, ifMatch: $ifMatch) {
  productTag { id } changedItems { id } current { id version } userErrors { code } } }`;

const payload = { __typename: 'ProductTagPayload', current: null, userErrors: [] };
const renamed = (id: number, nameEn: string) => ({
  updateProductTag: { ...payload, productTag: { __typename: 'ProductTag', id, nameEn } },
});

/** The list of a query. */
const listOf = ({ productTags, items, productTag }: Data) => productTags ?? items ?? productTag?.items ?? { nodes: [] };

const rowsOf = (data: Data): { id: number }[] => listOf(data).nodes ?? listOf(data).edges ?? [];

/** Data as the service has it. The end of a list moves with its rows. */
const plain = (data: Data) =>
  data && JSON.parse(JSON.stringify(data, (key, value) => (/^(__typename|endCursor)$/.test(key) ? undefined : value)));

type World = Awaited<ReturnType<typeof openScreen>>;
type Shown = Awaited<ReturnType<World['show']>>;

/** A screen of a company with 70 products and `count` tags, of which the first has 60 of the products. */
async function openScreen(count = 60) {
  const tenant = await app.createTenant({ products: 70 });
  const { companyId, products, token } = tenant;
  const values = Array.from({ length: count }, (_, index) => ({
    companyId,
    nameEn: `Tag ${String(index).padStart(3, '0')}`,
    nameAr: null,
  }));
  const inserted = await app.db.insertInto('productTags').values(values).returning('id').execute();
  const ids = inserted.map((row) => row.id);
  const [id = 0, other = 0] = ids;
  /** Sends a request of somebody else. */
  const send = async (text: string, variables: object): Promise<Data> =>
    (await app.client.graphql(text, variables, tenant)).body.data;
  await send(add, { id, itemIds: products.slice(0, 60) });

  const sent: Sent[] = [];
  /** What happens to a response before the client has it. */
  const network: { pass(request: Sent): unknown } = { pass: () => {} };
  const screen = open(`${app.url}/graphql`, { Authorization: `Bearer ${token}` }, async (input, init) => {
    const request = JSON.parse(String(init?.body));
    sent.push(request);
    const response = await fetch(input, init);
    await network.pass(request);
    return response;
  });

  /** Shows a query, with `length` rows of its list. */
  async function show(text: string, length = 0) {
    const variables = { id, other, item: products[0], first: Math.min(length || 20, 20) };
    const shown = screen.watch({ text, variables });
    const rows = () => rowsOf(shown.newest);
    const next = () => shown.more(listOf(shown.newest).pageInfo.endCursor);
    /** Reads the first rows of the list, in pages that cost little. */
    async function inService(count: number, after?: string): Promise<Data> {
      const data = await send(text, { ...variables, first: Math.min(count, 25), after });
      const { pageInfo: end } = listOf(data);
      if (count <= 25 || !end) return data;
      const rest = await inService(count - 25, end.endCursor);
      rowsOf(data).push(...rowsOf(rest));
      end.hasNextPage = listOf(rest).pageInfo.hasNextPage;
      return data;
    }
    /** Waits until the screen shows what the service has, in as many rows as before, less a deleted one. */
    const expectRight = () =>
      vi.waitFor(
        async () => {
          const newest = plain(shown.newest);
          expect(newest).toEqual(plain(await inService(Math.max(rows().length, length - 1, 1))));
        },
        { timeout: 100_000, interval: 50 },
      );
    await expect.poll(() => shown.newest).toBeDefined();
    while (rows().length < length) {
      const before = rows().length;
      await next();
      await expect.poll(() => rows().length).toBeGreaterThan(before);
    }
    return Object.assign(shown, { rows, next, expectRight });
  }

  const mutate = (text: string, variables: object = {}, optimistic?: object) =>
    screen.mutate({ text, variables, ...(optimistic && { optimistic }) });
  return { ids, id, other, products, send, sent, network, show, mutate, readScreen: screen.readScreen };
}

/** Texts on screen with their number of rows, what happens, and how many requests follow if that matters. */
type Case = [
  on: Record<string, number>,
  happens: (world: World, list: Shown, second: Shown) => Promise<unknown>,
  requests?: number,
];

const theirRemoval = (text: string, from: number, to: number): Case => [
  { [picker]: 20 },
  async ({ mutate, send, id, products }) => {
    await send(remove, { id, itemIds: products.slice(3, 4) });
    await mutate(text, { id, itemIds: products.slice(from, to) });
  },
];

const sentAgain = (length: number, text: string): Case => [
  { [tags]: length },
  async ({ mutate, network, readScreen }) => {
    network.pass = ({ query }) => {
      if (query.startsWith('mutation')) throw new TypeError('fetch failed');
    };
    await expect(mutate(createOnce)).rejects.toThrow('fetch failed');
    await readScreen();
    network.pass = () => {};
    await mutate(text);
  },
];

/** Removes an item with an optimistic response. */
function untick({ mutate, id, products: [itemId = 0] }: World) {
  const productTag = { __typename: 'ProductTag', id, version: 'next', itemCount: 59 };
  const changedItems = [{ __typename: 'Item', id: itemId, hasProductTag: false }];
  const optimistic = { __typename: 'ProductTagPayload', productTag, changedItems };
  return mutate(remove, { id, itemIds: [itemId] }, { removeProductTagItems: optimistic });
}

const cases: Record<string, Case> = {
  'a creation at the end of a whole list': [
    { [tags]: 60, [someTags]: 1, [number]: 0 },
    ({ mutate }) => mutate(create),
    1,
  ],
  'a creation on a later page': [{ [tags]: 40 }, ({ mutate }) => mutate(create), 1],
  'a creation without a field of the list': [
    { [tags]: 60 },
    ({ mutate }) => mutate(create.replace('nameEn }', '}')),
    2,
  ],
  'a creation by number of items, and with edges': [{ [byCount]: 60, [edges]: 60 }, ({ mutate }) => mutate(create)],
  'a creation with an optimistic response': [
    { [tags]: 60 },
    async ({ mutate }, list) => {
      const productTag = { __typename: 'ProductTag', id: -1, nameEn: 'AAA' };
      const creating = mutate(create, {}, { createProductTag: { ...payload, productTag, changedItems: [] } });
      await expect.poll(() => list.rows().at(-1)).toMatchObject({ id: -1 });
      await creating;
    },
    1,
  ],
  'a rejected creation': [
    { [byCount]: 20 },
    ({ mutate }) => mutate(create.replace('AAA', 'x').replace('productTag {', 'userErrors { code } productTag {')),
    1,
  ],
  'a repeated creation of a tag on screen': sentAgain(60, createOnce),
  'a repeated creation of another tag': sentAgain(40, createOnce.replace('productTag {', 'replayed productTag {')),
  'a change of names': [
    { [byCount]: 20, [picker]: 20, [itemsOfTag]: 20 },
    async ({ mutate, id }) => {
      for (const text of [rename, rename.replace('{ id nameEn }', '{ id nameEn } changedItems { id }')])
        await mutate(text, { id, name: 'AAA' });
    },
    2,
  ],
  'a deletion': [
    { [sorted]: 40, [number]: 0 },
    async ({ mutate, show, sent }, list) => {
      // A search that is not loaded as a whole, and off screen.
      (await show(found.replace('totalCount', ''), 20)).leave();
      sent.splice(0);
      await mutate(deletion, { id: list.rows().at(-1)?.id });
    },
    1,
  ],
  // A response does not tell whether the tag was found.
  'a deletion on a later page': [
    { [sorted]: 40, [found]: 20 },
    ({ mutate, ids }) => mutate(deletion, { id: ids[50] }),
    2,
  ],
  'the deletion of all rows': [
    { [tags]: 2 },
    async ({ mutate, id, other }, list) => {
      for (const each of [id, other]) await mutate(deletion, { id: each });
      await expect.poll(() => list.rows()).toHaveLength(2);
    },
  ],
  'the deletion of the tag around a list': [
    { [itemsOfTag]: 40, [picker]: 40, [byCount]: 20, [itemsWith('tags { nodes { id } }')]: 20 },
    ({ mutate, id }) => mutate(deletion, { id }),
    2,
  ],
  'a deletion that is rejected after its optimistic response': [
    { [itemsOfTag]: 60, [sorted]: 20 },
    async ({ mutate, send, id, products }) => {
      await send(remove, { id, itemIds: products.slice(40, 45) });
      const productTag = { __typename: 'ProductTag', id };
      const optimistic = { ...payload, __typename: 'DeleteProductTagPayload', productTag, changedItems: [] };
      await mutate(deletion, { id, ifMatch: '"stale"' }, { deleteProductTag: optimistic });
    },
  ],
  'new items of a tag': [
    { [itemsOfTag]: 40, [picker]: 40 },
    ({ mutate, id, products }) => mutate(update, { id, itemIds: [...products.slice(0, 30), ...products.slice(55)] }),
  ],
  'new items in a whole list': [
    { [itemsOfOther]: 0 },
    async ({ mutate, other, products }, list) => {
      await mutate(add, { id: other, itemIds: products });
      await expect.poll(() => list.rows()).toHaveLength(70);
    },
    2,
  ],
  'new items, beside one that somebody else has removed': theirRemoval(update, 4, 60),
  'the removal of an item that somebody else has removed': theirRemoval(remove, 3, 4),
  'a conflict': [
    { [sorted]: 20, [detail]: 0, [detail.replace('items {', 'items(first: 3) {')]: 0 },
    async ({ mutate, send, id, products }) => {
      await send(rename, { id, name: 'Tag 999' });
      await send(update, { id, itemIds: products.slice(0, 2) });
      const { updateProductTag } = await mutate(rename, { id, name: 'Tag 000b', ifMatch: '"stale"' });
      expect(updateProductTag).toMatchObject({ productTag: null, current: { nameEn: 'Tag 999' } });
    },
  ],
  'a change of a tag that somebody else has deleted': [
    { [byCount]: 20, [detail]: 0 },
    async ({ mutate, send, id }) => {
      await send(deletion, { id });
      await mutate(rename, { id, name: 'Too late' });
    },
    2,
  ],
  'a change of a tag that somebody else had deleted before a page was read': [
    { [tags]: 20 },
    async ({ mutate, send, ids }, list) => {
      await send(deletion, { id: ids[50] });
      await list.next();
      await mutate(rename, { id: ids[50], name: 'Too late' });
    },
  ],
  'tags of an item, one of which somebody else has deleted': [
    { [tags]: 60 },
    async ({ mutate, send, other, products }) => {
      await send(deletion, { id: other });
      await mutate(set, { item: products[5], tags: [other] });
    },
  ],
  'a page that has a row already': [
    { [sorted]: 40 },
    async ({ send, readScreen, id }, list) => {
      await send(rename, { id, name: 'Tag 050' });
      await list.next();
      await expect.poll(() => list.rows().length).toBeGreaterThan(50);
      expect(list.rows().filter((row) => row.id === id)).toHaveLength(1);
      await readScreen();
    },
  ],
  'a mutation, with two lists in a query': [
    { [`${picker.slice(0, -1)} productTag(id: $id) { id name items(first: 5) { nodes { id } } } }`]: 60 },
    ({ mutate, id }) => mutate(update, { id, itemIds: [] }),
  ],
  'a mutation, with lists whose pages of 100 cost too much': [
    { [itemsWith('tags(first: 100) { nodes { id nameEn nameAr name itemCount version createdAt updatedAt } }')]: 60 },
    ({ mutate, other, products }) =>
      mutate(add.replace('hasProductTag(id: $id)', 'itemType'), { id: other, itemIds: products.slice(50, 51) }),
  ],
  'a checkbox, whose optimistic response shows at once': [
    { [picker]: 40, 'query Header($id: Int!) { productTag(id: $id) { id itemCount version } }': 0 },
    async (world, list) => {
      const done = untick(world);
      await expect.poll(() => list.rows()[0]).toMatchObject({ hasProductTag: false });
      await done;
    },
    1,
  ],
  'a mutation, with the optimistic response of another on screen': [
    { [sorted]: 20, [picker]: 20 },
    async (world) => {
      const renaming = world.mutate(rename, { id: world.other, name: 'Zzz' }, renamed(world.other, 'Zzz'));
      await Promise.all([renaming, untick(world)]);
    },
  ],
  'a page that arrives before the response of an optimistic mutation': [
    { [sorted]: 40, [tags]: 20 },
    async ({ mutate, network, other }, ...lists) => {
      network.pass = ({ query }) => query.startsWith('mutation') && setTimeout(150);
      const renaming = mutate(rename, { id: other, name: 'Zzz' }, renamed(other, 'Zzz'));
      await Promise.all([...lists.map((list) => list.next()), renaming]);
      await expect.poll(() => lists.map((list) => list.isLoading())).toEqual([false, false]);
    },
  ],
  'the move of the last row before the next page': [
    { [sorted]: 40 },
    async ({ mutate, network }, list) => {
      // The next page comes after the first ones, which are read once more.
      network.pass = ({ variables }) => variables.after && setTimeout(200);
      await mutate(rename, { id: list.rows().at(-1)?.id, name: 'AAA' });
      await list.next();
      await expect.poll(() => list.rows()).toHaveLength(60);
    },
  ],
  'mutations while pages are on their way': [
    { [sorted]: 40, [tags]: 20 },
    async ({ mutate, network, ids }, ...lists) => {
      network.pass = ({ query, variables }) => query.startsWith('query') && variables.after && setTimeout(200);
      const pages = lists.map((list) => list.next());
      await setTimeout(100);
      await mutate(deletion, { id: ids[45] });
      await mutate(rename, { id: ids[46], name: 'Tag 048b' });
      await Promise.all(pages);
    },
  ],
  'a page that comes too late': [
    { [sorted]: 40 },
    async ({ send, readScreen }, list) => {
      const { endCursor } = listOf(list.newest).pageInfo;
      await send(create, {});
      await readScreen();
      // Before Apollo Client has shown what is in the cache.
      await list.more(endCursor);
    },
  ],
  'a mutation of another tag, with the items of a tag off screen': [
    { [itemsOfTag]: 60 },
    async ({ show, mutate, other, products }, list) => {
      list.leave();
      await mutate(add, { id: other, itemIds: products.slice(0, 1) });
      expect((await show(itemsOfTag)).rows()).toHaveLength(60);
    },
  ],
  'a mutation without a response, with a list off screen': [
    {},
    async ({ show, send, readScreen, other }) => {
      (await show(sorted, 40)).leave();
      await send(rename, { id: other, name: 'Zzz' });
      await readScreen();
      await (await show(sorted)).expectRight();
    },
  ],
  // The list is read for the first one, and then once for both.
  'two mutations while a list is read once more': [
    { [sorted]: 40 },
    async ({ mutate, network, id, other }, list) => {
      const isRenamed: boolean[] = [];
      list.onChange = () => isRenamed.push(JSON.stringify(list.newest).includes('Second'));
      const { promise, resolve } = Promise.withResolvers<void>();
      network.pass = ({ query }) => query.startsWith('query') && promise;
      await mutate(rename, { id, name: 'First' });
      await mutate(rename, { id: other, name: 'Second' });
      resolve();
      await list.expectRight();
      expect(isRenamed.slice(isRenamed.indexOf(true))).not.toContain(false);
    },
    4,
  ],
};

test.each(Object.entries(cases))('after %s, the screen is right', async (_what, [on, happens, requests]) => {
  const world = await openScreen();
  const shown: Shown[] = [];
  for (const [text, length] of Object.entries(on)) shown.push(await world.show(text, length));
  world.sent.splice(0);
  await happens(world, ...(shown as [Shown, Shown]));
  for (const each of shown) await each.expectRight();
  if (requests === undefined) return;
  await setTimeout(100);
  expect(world.sent).toHaveLength(requests);
});

test.each<[what: string, text: string, mutation: string, length?: number]>([
  ['list by name', sorted, rename, 40],
  ['picker', pickerOfOther, update, 60],
  ['items of a tag', itemsOfOther, update],
  ['tags of an item', tagsOfItem, update],
  ['tags of an item', tagsOfItem, add],
  [
    'tags of the items of another tag',
    itemsOfTag.replace('nodes { id }', 'nodes { id tags { nodes { id } } }'),
    update,
  ],
  ['number of items', 'query Header($other: Int!) { productTag(id: $other) { id itemCount version updatedAt } }', set],
  [
    'checkbox of an item',
    'query Check($item: Int!, $other: Int!) { item(id: $item) { id hasProductTag(id: $other) } }',
    set,
  ],
  ['ids of the items', 'query Ids($other: Int!) { productTag(id: $other) { id itemIds } }', add],
])('the %s that was not on screen during a mutation is read when it comes back', async (_name, text, ...more) => {
  const [mutation, length] = more;
  const { id, other, products, show, mutate } = await openScreen();
  const before = await show(text, length);
  before.leave();
  // Lists of items that are not those of the tag, or not all of them, and a checkbox of another tag.
  await show(beside, 20);
  const [item = 0] = products;
  await mutate(mutation, { id: other, name: 'AAA', item, itemIds: [item], tags: [id, other] });
  const back = await show(text);
  await back.expectRight();
  expect(plain(back.newest)).not.toEqual(plain(before.newest));
});

test('a list of 140 rows is read once more in two requests, keeps its rows meanwhile, and begins again', async () => {
  const { ids, sent, products, show, mutate } = await openScreen(160);
  const list = await show(tagsWith(', orderBy: NAME_EN', 'id nameEn itemCount'), 140);
  sent.splice(0);
  const lengths = new Set<number>();
  list.onChange = () => lengths.add(list.rows().length);
  await mutate(create.replace('nameEn }', 'nameEn itemCount }'));
  await expect.poll(() => list.rows()[0]).toMatchObject({ nameEn: 'AAA' });
  expect(sent.map(({ variables }) => variables.first)).toEqual([undefined, 100, 40]);
  expect([...lengths]).toEqual([140]);
  await mutate(rename, { id: ids[0], name: 'Tag 000b' });
  await mutate(add, { id: ids[1], itemIds: products });
  await list.expectRight();
});

test.each([
  ['deletion', deletion],
  ['creation', create],
])('a %s counts once, although a page that counts it arrives before its response', async (_what, text) => {
  const { ids, network, show, mutate } = await openScreen();
  const list = await show(tags, 20);
  network.pass = ({ query }) => query.startsWith('mutation') && setTimeout(200);
  const mutating = mutate(text, { id: ids[3] });
  await setTimeout(100);
  await list.next();
  await mutating;
  await list.expectRight();
});

test.each(['', ', reverse: true'])(
  'two new tags are in order although their responses overtake (%s)',
  async (order) => {
    const { network, show, mutate } = await openScreen(3);
    const list = await show(tagsWith(order));
    const { promise, resolve } = Promise.withResolvers<void>();
    let isFirst = true;
    network.pass = () => {
      if (!isFirst) return undefined;
      isFirst = false;
      return promise;
    };
    const first = mutate(create);
    await setTimeout(200);
    await mutate(create);
    resolve();
    await first;
    await list.expectRight();
  },
);

test('a search that is taken back while it is on its way does not hide a mutation', async () => {
  const { id, network, show, mutate } = await openScreen(3);
  const list = await show('query Found($search: String) { productTags(search: $search) { nodes { id nameEn } } }');
  const { promise, resolve } = Promise.withResolvers<void>();
  network.pass = ({ variables }) => variables.search && promise;
  list.search({ search: 'Tag' });
  list.search({});
  await mutate(rename, { id, name: 'Other' });
  resolve();
  await expect.poll(() => list.newest).toBeDefined();
  await list.expectRight();
});

test('a list keeps its rows when the connection is lost, and shows an error that lasts', async () => {
  const { id, sent, network, show, mutate, readScreen } = await openScreen();
  const list = await show(sorted, 40);
  sent.splice(0);
  let failures = 1;
  network.pass = ({ query }) => {
    if (query.startsWith('query') && failures-- > 0) throw new TypeError('fetch failed');
  };
  await mutate(rename, { id, name: 'Tag 001b' });
  await list.expectRight();
  expect(sent).toHaveLength(3);
  expect(list.error).toBeUndefined();

  network.pass = ({ query }) => {
    if (query.startsWith('query')) throw Object.assign(new Error('Wrong'), { response: { status: 500 } });
  };
  await mutate(rename, { id, name: 'Tag 000' });
  await expect.poll(() => list.error).toMatchObject({ message: 'Wrong' });
  expect(list.rows()).toHaveLength(40);
  network.pass = () => {};
  await readScreen();
  await list.expectRight();
});

test('a mutation whose response is lost is sent once', async () => {
  const { sent, network, mutate } = await openScreen(1);
  network.pass = () => {
    throw new TypeError('fetch failed');
  };
  await expect(mutate(create)).rejects.toThrow('fetch failed');
  await setTimeout(1_500);
  expect(sent).toHaveLength(1);
});

test('a request beyond a rate limit waits for Retry-After', async () => {
  await using limited = await startApp({ RATE_LIMIT_WINDOW: '2', RATE_LIMIT_TOKEN_READS: '1' });
  const tenant = await limited.createTenant();
  const statuses: number[] = [];
  const send = globalThis.fetch;
  const recording = vi.spyOn(globalThis, 'fetch').mockImplementation(async (...request) => {
    const response = await send(...request);
    statuses.push(response.status);
    return response;
  });
  onTestFinished(() => recording.mockRestore());
  // With the `fetch` of the example.
  const screen = open(`${limited.url}/graphql`, { Authorization: `Bearer ${tenant.token}` });
  // A busy machine may send the second in a later window.
  while (!statuses.includes(429)) {
    const watched = screen.watch({ text: 'query Name { partner { name } }', fetchPolicy: 'network-only' });
    await expect.poll(() => watched.newest).toMatchObject({ partner: { name: expect.any(String) } });
    watched.leave();
  }
  expect(statuses.slice(-2)).toEqual([429, 200]);
});
