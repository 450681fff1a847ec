import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startApp, use } from '../support/test-app.ts';

interface Node {
  id: number;
}

interface Sent {
  query: string;
  variables: { first?: number; after?: string; search?: string };
}

interface Screens {
  list(
    query: { text: string; variables?: object },
    // biome-ignore lint/suspicious/noExplicitAny: the data of the query
    listOf: (data: any) => unknown,
  ): {
    newest: Node[] | undefined;
    error?: Error;
    isLoading: boolean;
    more(after?: string): Promise<void>;
    leave(): void;
  };
  watch(query: { text: string; variables?: object; fetchPolicy?: string }): {
    newest: unknown;
    search(variables: object): void;
    leave(): void;
  };
  mutate(operation: { text: string; variables?: object; optimistic?: object }): Promise<unknown>;
  readScreen(): Promise<void>;
}

const path = new URL('./screens.js', import.meta.url).href;
const { screens } = await import(path);
const open: (url: string, headers: object, fetch?: typeof globalThis.fetch) => Screens = screens['Apollo Client'];

const app = use(await startApp({ RATE_LIMIT: 'off' }));

const tags = (
  args = '',
) => `query Tags($first: Int, $after: String) { productTags(first: $first, after: $after ${args}) {
  totalCount nodes { id nameEn } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`;

async function openScreen({ count }: { count: number }) {
  const tenant = await app.createTenant();
  const values = Array.from({ length: count }, (_, index) => ({
    companyId: tenant.companyId,
    nameEn: `Tag ${String(index).padStart(3, '0')}`,
    nameAr: null,
  }));
  await app.db.insertInto('productTags').values(values).execute();
  const sent: unknown[] = [];
  /** What happens to a response before the client has it, or to a request that has none. */
  const network: { pass: (request: Sent) => unknown } = { pass: () => {} };
  const counting = async (input: string | URL | Request, init?: RequestInit) => {
    const request = JSON.parse(String(init?.body));
    sent.push(request);
    const response = await fetch(input, init);
    await network.pass(request);
    return response;
  };
  const screen = open(`${app.url}/graphql`, { Authorization: `Bearer ${tenant.token}` }, counting);
  return { tenant, sent, network, screen };
}

const create =
  'mutation { createProductTag(input: { nameEn: "AAA" }) { productTag { id nameEn } changedItems { id } } }';

test('a page that is requested twice is shown once', async () => {
  const { screen } = await openScreen({ count: 60 });
  const list = screen.list({ text: tags(), variables: { first: 20 } }, ({ productTags }) => productTags);
  await expect.poll(() => list.newest).toHaveLength(20);
  await Promise.all([list.more(), list.more()]);
  await expect.poll(() => list.newest).toHaveLength(40);
  await list.more();
  await expect.poll(() => list.newest).toHaveLength(60);
  expect(new Set(list.newest?.map(({ id }) => id)).size).toBe(60);
});

test('a list that is on screen as a whole shows a new tag at its end, without a request', async () => {
  const { screen, sent } = await openScreen({ count: 30 });
  const list = screen.list({ text: tags(), variables: { first: 20 } }, ({ productTags }) => productTags);
  const number = screen.watch({ text: 'query Number { productTags { totalCount } }' });
  await expect.poll(() => list.newest).toHaveLength(20);
  await list.more();
  await expect.poll(() => list.newest).toHaveLength(30);
  sent.splice(0);
  await screen.mutate({ text: create });
  await expect.poll(() => list.newest?.at(-1)).toMatchObject({ nameEn: 'AAA' });
  await expect.poll(() => number.newest).toMatchObject({ productTags: { totalCount: 31 } });
  expect(sent).toHaveLength(1);
});

test('a sorted list of 150 rows is read once more in two requests, and keeps its rows meanwhile', async () => {
  const { screen, sent } = await openScreen({ count: 160 });
  const text = tags(', orderBy: NAME_EN');
  const list = screen.list({ text, variables: { first: 50 } }, ({ productTags }) => productTags);
  const lengths: unknown[] = [];
  await expect.poll(() => list.newest).toHaveLength(50);
  for (const count of [100, 150]) {
    await list.more();
    await expect.poll(() => list.newest).toHaveLength(count);
  }
  sent.splice(0);
  await screen.mutate({ text: create });
  await expect.poll(() => lengths.push(list.newest?.length) && list.newest?.[0]).toMatchObject({ nameEn: 'AAA' });
  await expect
    .poll(() => sent.map((each) => (each as { variables: { first?: number } }).variables.first))
    .toEqual([undefined, 100, 50]);
  await expect.poll(() => list.newest?.at(-1)).toMatchObject({ nameEn: expect.stringMatching(/^Tag 14[89]$/) });
  expect(Math.min(...(lengths as number[]))).toBe(150);
});

test('a tick of a checkbox is one request, and shows at once with an optimistic response', async () => {
  const { tenant, screen, sent } = await openScreen({ count: 1 });
  const [productId = 0] = tenant.products;
  const { data } = (await app.client.graphql('{ productTags { nodes { id } } }', {}, tenant)).body;
  const tag = data.productTags.nodes[0].id;
  const picker = screen.list(
    {
      text: `query Picker($tag: Int!, $first: Int, $after: String) { items(first: $first, after: $after, itemType: PRODUCT) {
        nodes { id hasProductTag(id: $tag) } pageInfo { hasNextPage endCursor } } }`,
      variables: { tag, first: 2 },
    },
    ({ items }) => items,
  );
  const detail = screen.watch({ text: `query Detail { productTag(id: ${tag}) { id itemCount version } }` });
  await expect.poll(() => picker.newest).toHaveLength(2);
  await picker.more();
  await expect.poll(() => picker.newest).toHaveLength(4);
  await expect.poll(() => detail.newest).toMatchObject({ productTag: { itemCount: 0 } });
  sent.splice(0);
  const checked = () => picker.newest?.map((node) => (node as unknown as { hasProductTag: boolean }).hasProductTag);
  for (const [mutation, isChecked] of [
    ['addProductTagItems', true],
    ['removeProductTagItems', false],
  ] as const) {
    const done = screen.mutate({
      text: `mutation Tick($tag: Int!, $itemIds: [Int!]!) { ${mutation}(id: $tag, itemIds: $itemIds) {
        productTag { id version itemCount } changedItems { id hasProductTag(id: $tag) } } }`,
      variables: { tag, itemIds: [productId] },
      optimistic: {
        [mutation]: {
          __typename: 'ProductTagPayload',
          productTag: { __typename: 'ProductTag', id: tag, version: 'next', itemCount: Number(isChecked) },
          changedItems: [{ __typename: 'Item', id: productId, hasProductTag: isChecked }],
        },
      },
    });
    await expect.poll(checked).toEqual([isChecked, false, false, false]);
    await done;
    await expect.poll(() => detail.newest).toMatchObject({ productTag: { itemCount: Number(isChecked) } });
    expect(checked()).toEqual([isChecked, false, false, false]);
  }
  expect(sent).toHaveLength(2);
});

const rename = `mutation Rename($id: Int!, $nameEn: String!, $ifMatch: String) {
  updateProductTag(id: $id, input: { nameEn: $nameEn }, ifMatch: $ifMatch) {
    productTag { id nameEn } current { id nameEn version itemCount } userErrors { code } } }`;

test('after a conflict, the tag of somebody else is at its place, with its items', async () => {
  const { tenant, screen } = await openScreen({ count: 30 });
  const list = screen.list(
    { text: tags(', orderBy: NAME_EN'), variables: { first: 20 } },
    ({ productTags }) => productTags,
  );
  await expect.poll(() => list.newest).toHaveLength(20);
  const { id = 0 } = list.newest?.[3] ?? {};
  const detail = screen.watch({
    text: `query Detail { productTag(id: ${id}) { id version itemCount items { nodes { id } } } }`,
  });
  await expect.poll(() => detail.newest).toMatchObject({ productTag: { itemCount: 0 } });
  const { version } = (detail.newest as { productTag: { version: string } }).productTag;
  const theirs = `mutation ($ids: [Int!]) { updateProductTag(id: ${id}, input: { nameEn: "Tag 999", itemIds: $ids }) { productTag { id } } }`;
  await app.client.graphql(theirs, { ids: tenant.products.slice(0, 2) }, tenant);
  const { updateProductTag } = (await screen.mutate({
    text: rename,
    variables: { id, nameEn: 'Tag 000b', ifMatch: version },
  })) as { updateProductTag: object };
  expect(updateProductTag).toMatchObject({ productTag: null, current: { nameEn: 'Tag 999' } });
  await expect.poll(() => list.newest?.map((row) => row.id)).not.toContain(id);
  const nodes = tenant.products.slice(0, 2).map((each) => ({ id: each }));
  await expect.poll(() => detail.newest).toMatchObject({ productTag: { itemCount: 2, items: { nodes } } });
});

test('a list that was not on screen during a mutation is right when it comes back', async () => {
  const { screen } = await openScreen({ count: 60 });
  const query = { text: tags(', orderBy: NAME_EN'), variables: { first: 20 } };
  const list = screen.list(query, ({ productTags }) => productTags);
  await expect.poll(() => list.newest).toHaveLength(20);
  await list.more();
  await expect.poll(() => list.newest).toHaveLength(40);
  const { id = 0 } = list.newest?.[25] ?? {};
  list.leave();
  await screen.mutate({ text: rename, variables: { id, nameEn: 'Tag 000b' } });
  const again = screen.list(query, ({ productTags }) => productTags);
  await expect.poll(() => again.newest?.slice(0, 2)).toMatchObject([{ nameEn: 'Tag 000' }, { id }]);
});

test('a count does not jump back while ticks follow each other', async () => {
  const tenant = await app.createTenant();
  const { body } = await app.client.graphql(create, {}, tenant);
  const tag = body.data.createProductTag.productTag.id;
  // Responses of the screen's own query are late.
  const late = async (input: string | URL | Request, init?: RequestInit) => {
    const response = await fetch(input, init);
    if (String(init?.body).includes('query Detail')) await setTimeout(100);
    return response;
  };
  const screen = open(`${app.url}/graphql`, { Authorization: `Bearer ${tenant.token}` }, late);
  const text = `query Detail { productTag(id: ${tag}) { id itemCount items { nodes { id } } } }`;
  const detail = screen.watch({ text });
  const counts: number[] = [];
  const noting = setInterval(() => {
    counts.push((detail.newest as { productTag: { itemCount: number } } | undefined)?.productTag.itemCount ?? 0);
  }, 1);
  onTestFinished(() => clearInterval(noting));
  await expect.poll(() => detail.newest).toMatchObject({ productTag: { itemCount: 0 } });
  const { length } = tenant.products;
  for (const itemId of tenant.products) {
    await screen.mutate({
      text: `mutation { addProductTagItems(id: ${tag}, itemIds: [${itemId}]) { productTag { id itemCount } changedItems { id } } }`,
    });
    await setTimeout(30);
  }
  await expect
    .poll(() => detail.newest)
    .toMatchObject({ productTag: { itemCount: length, items: { nodes: { length } } } });
  expect(counts).toEqual(counts.toSorted((a, b) => a - b));
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

test('a tag whose items are on screen as a whole shows all items that are added', async () => {
  const { tenant, screen } = await openScreen({ count: 1 });
  const [{ id }] = (await app.client.graphql('{ productTags { nodes { id } } }', {}, tenant)).body.data.productTags
    .nodes;
  const items = screen.list(
    {
      text: `query Items($first: Int, $after: String) { productTag(id: ${id}) { id itemCount items(first: $first, after: $after) {
        nodes { id } pageInfo { hasNextPage endCursor } } } }`,
      variables: { first: 2 },
    },
    ({ productTag }) => productTag.items,
  );
  await expect.poll(() => items.newest).toEqual([]);
  const [, ...later] = tenant.products;
  for (const itemIds of [later.slice(1, 2), tenant.products]) {
    await screen.mutate({
      text: `mutation Add($itemIds: [Int!]!) { addProductTagItems(id: ${id}, itemIds: $itemIds) {
        productTag { id itemCount } changedItems { id } } }`,
      variables: { itemIds },
    });
    await expect.poll(() => items.newest?.map((item) => item.id)).toEqual(itemIds);
  }
});

/** A list by name with 40 of 60 tags on screen, and their order in the service. */
async function openSorted() {
  const { tenant, ...opened } = await openScreen({ count: 60 });
  const query = { text: tags(', orderBy: NAME_EN'), variables: { first: 20 } };
  const list = opened.screen.list(query, ({ productTags }) => productTags);
  await expect.poll(() => list.newest).toHaveLength(20);
  await list.more();
  await expect.poll(() => list.newest).toHaveLength(40);
  const idsInOrder = async (count: number) => {
    const { data } = (await app.client.graphql(query.text, { first: count }, tenant)).body;
    return data.productTags.nodes.map((node: Node) => node.id);
  };
  const shownIds = () => list.newest?.map(({ id }) => id);
  return { ...opened, tenant, list, idsInOrder, shownIds };
}

test('the next page is complete when the last row moves meanwhile', async () => {
  const { screen, list, network, idsInOrder, shownIds } = await openSorted();
  // The next page comes after the first ones, which are read once more.
  network.pass = ({ variables }) => variables.after && setTimeout(200);
  await screen.mutate({ text: rename, variables: { id: list.newest?.at(-1)?.id, nameEn: 'AAA' } });
  await list.more();
  await expect.poll(shownIds).toEqual(await idsInOrder(60));
});

test('a page that is on its way during a mutation does not put the old state back', async () => {
  const { tenant, screen, list, network, idsInOrder, shownIds } = await openSorted();
  const [id, renamed] = (await idsInOrder(50)).slice(45);
  const unsorted = screen.list({ text: tags(), variables: { first: 30 } }, ({ productTags }) => productTags);
  await expect.poll(() => unsorted.newest).toHaveLength(30);
  network.pass = ({ query, variables }) => query.includes('query') && variables.after && setTimeout(200);
  const pages = [list.more(), unsorted.more()];
  await setTimeout(100);
  await screen.mutate({ text: `mutation { deleteProductTag(id: ${id}) { productTag { id } changedItems { id } } }` });
  await screen.mutate({ text: rename, variables: { id: renamed, nameEn: 'Tag 046b' } });
  await Promise.all(pages);
  await expect.poll(shownIds).toEqual(await idsInOrder(59));
  const { data } = (await app.client.graphql(tags(), { first: 100 }, tenant)).body;
  await expect.poll(() => unsorted.newest).toMatchObject(data.productTags.nodes);
});

test('a list keeps its rows when the connection is lost, and shows an error that lasts', async () => {
  const { screen, list, sent, network, idsInOrder, shownIds } = await openSorted();
  sent.splice(0);
  let failures = 1;
  network.pass = ({ query }) => {
    if (query.startsWith('query') && failures-- > 0) throw new TypeError('fetch failed');
  };
  const [id, second] = shownIds() ?? [];
  await screen.mutate({ text: rename, variables: { id, nameEn: 'Tag 001b' } });
  await expect.poll(shownIds).toEqual([second, id, ...(await idsInOrder(40)).slice(2)]);
  expect(sent).toHaveLength(3);
  expect(list.error).toBeUndefined();

  network.pass = ({ query }) => {
    if (query.startsWith('query')) throw Object.assign(new Error('Wrong'), { response: { status: 500 } });
  };
  await screen.mutate({ text: rename, variables: { id, nameEn: 'Tag 000' } });
  await expect.poll(() => list.error).toMatchObject({ message: 'Wrong' });
  expect(shownIds()).toHaveLength(40);
  network.pass = () => {};
  await screen.readScreen();
  await expect.poll(shownIds).toEqual(await idsInOrder(40));
});

test('a mutation whose response is lost is sent once', async () => {
  const { screen, sent, network } = await openScreen({ count: 1 });
  network.pass = () => {
    throw new TypeError('fetch failed');
  };
  await expect(screen.mutate({ text: create })).rejects.toThrow('fetch failed');
  await setTimeout(1_500);
  expect(sent).toHaveLength(1);
});

test('everything on screen is read once more with all pages', async () => {
  const { tenant, screen, idsInOrder, shownIds } = await openSorted();
  const [id] = shownIds()?.slice(-1) ?? [];
  await app.client.graphql(
    `mutation { updateProductTag(id: ${id}, input: { nameEn: "AAA" }) { replayed } }`,
    {},
    tenant,
  );
  await screen.readScreen();
  await expect.poll(shownIds).toEqual(await idsInOrder(40));
});

const picker = `query Picker($tag: Int!, $first: Int = 20, $after: String) {
  items(first: $first, after: $after, itemType: PRODUCT) { nodes { id hasProductTag(id: $tag) } pageInfo { hasNextPage endCursor } } }`;
const checkedIds = (rows: Node[] | undefined) =>
  rows?.filter((row) => (row as unknown as { hasProductTag: boolean }).hasProductTag).map(({ id }) => id);

/** A screen of a company with 70 products, and with tags that have some of them. */
async function openTags(...itemsOf: ((products: number[]) => number[])[]) {
  const tenant = await app.createTenant({ products: 70 });
  const ids: number[] = [];
  for (const [index, items] of itemsOf.entries()) {
    const { body } = await app.client.graphql(
      'mutation ($name: String!, $ids: [Int!]) { createProductTag(input: { nameEn: $name, itemIds: $ids }) { productTag { id } } }',
      { name: `Tag ${index}`, ids: items(tenant.products) },
      tenant,
    );
    ids.push(body.data.createProductTag.productTag.id);
  }
  const screen = open(`${app.url}/graphql`, { Authorization: `Bearer ${tenant.token}` });
  // biome-ignore lint/suspicious/noExplicitAny: the data of the query
  const openList = async (text: string, variables: object, listOf: (data: any) => unknown, count: number) => {
    const list = screen.list({ text, variables }, listOf);
    await expect.poll(() => list.newest).toBeDefined();
    for (let length = 20; length < count; length += 20) {
      await list.more();
      await expect.poll(() => list.newest?.length).toBeGreaterThan(length);
    }
    expect(list.newest).toHaveLength(count);
    return list;
  };
  const openPicker = (tag: number, count: number) => openList(picker, { tag }, ({ items }) => items, count);
  return { tenant, screen, ids, openList, openPicker };
}

const update = `mutation Update($id: Int!, $ids: [Int!]) { updateProductTag(id: $id, input: { itemIds: $ids }) {
  productTag { id version itemCount } changedItems { id } } }`;

test('queries with the same conditions and other fields load all of their pages', async () => {
  const { ids, openList, openPicker } = await openTags(
    (products) => products.slice(0, 30),
    (products) => products.slice(40),
  );
  const [first = 0, second = 0] = ids;
  const lists = [await openPicker(first, 60), await openPicker(second, 60)];
  const names = picker.replace('hasProductTag(id: $tag)', 'nameEn').replace('$tag: Int!, ', '');
  lists.push(await openList(names, {}, ({ items }) => items, 40));
  for (const list of lists.slice(0, 2)) {
    await list.more();
    await expect.poll(() => list.newest).toHaveLength(70);
  }
  expect(lists.map((list) => checkedIds(list.newest)?.length)).toEqual([30, 30, 0]);
});

test('a picker that was closed during a mutation is right when it comes back', async () => {
  const { tenant, screen, ids, openPicker } = await openTags((products) => products.slice(0, 30));
  const [id = 0] = ids;
  (await openPicker(id, 60)).leave();
  await screen.mutate({ text: update, variables: { id, ids: tenant.products.slice(10, 50) } });
  const { newest } = await openPicker(id, 60);
  expect(checkedIds(newest)).toEqual(tenant.products.slice(10, 50));
});

test('the items of a tag and its picker are right after its items are set, and after it is deleted', async () => {
  const { tenant, screen, ids, openList, openPicker } = await openTags((products) => products.slice(0, 60));
  const [id = 0] = ids;
  const detail = `query Detail($id: Int!, $first: Int = 20, $after: String) { productTag(id: $id) { id
    items(first: $first, after: $after) { nodes { id } pageInfo { hasNextPage endCursor } } } }`;
  const items = await openList(detail, { id }, ({ productTag }) => productTag?.items ?? { nodes: [] }, 40);
  const shown = await openPicker(id, 40);
  const kept = [...tenant.products.slice(0, 30), ...tenant.products.slice(55)];
  await screen.mutate({ text: update, variables: { id, ids: kept } });
  await expect.poll(() => items.newest?.map((item) => item.id)).toEqual(kept.slice(0, 40));
  await expect.poll(() => checkedIds(shown.newest)).toEqual(kept.slice(0, 30));
  await screen.mutate({
    text: 'mutation Delete($id: Int!) { deleteProductTag(id: $id) { productTag { id } changedItems { id } } }',
    variables: { id },
  });
  await expect.poll(() => checkedIds(shown.newest)).toEqual([]);
  expect(shown.newest).toHaveLength(40);
});

test('an optimistic deletion that is rejected leaves all rows, as they are now', async () => {
  const { tenant, screen, ids, openList } = await openTags(
    (products) => products.slice(0, 60),
    () => [],
  );
  const [id = 0] = ids;
  const detail = `query Detail($id: Int!, $first: Int = 20, $after: String) { productTag(id: $id) { id version
    items(first: $first, after: $after) { nodes { id } pageInfo { hasNextPage endCursor } } } }`;
  const items = await openList(detail, { id }, ({ productTag }) => productTag?.items ?? { nodes: [] }, 60);
  const list = await openList(tags(', orderBy: NAME_EN'), { first: 20 }, ({ productTags }) => productTags, 2);
  const version = 'mutation ($id: Int!, $ids: [Int!]!) { removeProductTagItems(id: $id, itemIds: $ids) { replayed } }';
  await app.client.graphql(version, { id, ids: tenant.products.slice(40, 45) }, tenant);
  await screen.mutate({
    text: `mutation Delete($id: Int!) { deleteProductTag(id: $id, ifMatch: "\\"stale\\"") {
      productTag { id } changedItems { id } current { id version } userErrors { code } } }`,
    variables: { id },
    optimistic: {
      deleteProductTag: {
        __typename: 'DeleteProductTagPayload',
        productTag: { __typename: 'ProductTag', id },
        changedItems: [],
        current: null,
        userErrors: [],
      },
    },
  });
  const left = [...tenant.products.slice(0, 40), ...tenant.products.slice(45, 60)];
  await expect.poll(() => items.newest?.map((item) => item.id)).toEqual(left);
  await expect.poll(() => list.newest?.map((row) => row.id)).toEqual(ids);
});

test('a tag without items has its place in a list by number of items', async () => {
  const { screen, openList } = await openTags((products) => products.slice(0, 2));
  const list = await openList(tags(', orderBy: ITEM_COUNT'), {}, ({ productTags }) => productTags, 1);
  await screen.mutate({ text: create });
  await expect.poll(() => list.newest?.length).toBe(2);
});

test('a tag that somebody else has deleted disappears after the tags of an item are set to it', async () => {
  const { tenant, screen, ids, openList } = await openTags(
    (products) => products.slice(0, 2),
    () => [],
  );
  const list = await openList(tags(), {}, ({ productTags }) => productTags, 2);
  const [id, other] = ids;
  await app.client.graphql(`mutation { deleteProductTag(id: ${id}) { replayed: deletedProductTagId } }`, {}, tenant);
  await screen.mutate({
    text: `mutation Set($item: Int!, $tags: [Int!]!) { setItemTags(itemId: $item, productTagIds: $tags) {
      item { id } userErrors { code productTagIds } } }`,
    variables: { item: tenant.products[5], tags: [id] },
  });
  await expect.poll(() => list.newest?.map((row) => row.id)).toEqual([other]);
});

test('of a query with two lists, the one with pages keeps its rows', async () => {
  const { screen, ids, openList } = await openTags((products) => products.slice(0, 2));
  const [id = 0] = ids;
  const both = `query Both($first: Int = 20, $after: String) { productTag(id: ${id}) { id name items(first: 5) { nodes { id } } }
    ${/items\(first: \$first.*/.exec(picker)?.[0].replace('$tag', String(id))}`;
  const list = await openList(both, {}, ({ items }) => items, 60);
  await screen.mutate({ text: update, variables: { id, ids: [] } });
  await expect.poll(() => checkedIds(list.newest)).toEqual([]);
  expect(list.newest).toHaveLength(60);
});

const renameOnly = `mutation Rename($id: Int!, $nameEn: String!) {
  updateProductTag(id: $id, input: { nameEn: $nameEn }) { productTag { id nameEn } } }`;
const tick = `mutation Tick($id: Int!, $itemIds: [Int!]!) { addProductTagItems(id: $id, itemIds: $itemIds) {
  productTag { id itemCount } changedItems { id hasProductTag(id: $id) } } }`;

test('what a mutation changes is right although the optimistic response of another is on screen', async () => {
  const { tenant, screen, ids, openList, openPicker } = await openTags(
    () => [],
    () => [],
  );
  const [first = 0, second = 0] = ids;
  const sorted = await openList(tags(', orderBy: NAME_EN'), {}, ({ productTags }) => productTags, 2);
  const shown = await openPicker(second, 20);
  const productTag = { __typename: 'ProductTag', id: first, nameEn: 'Zzz' };
  const renaming = screen.mutate({
    text: renameOnly,
    variables: { id: first, nameEn: 'Zzz' },
    optimistic: { updateProductTag: { __typename: 'ProductTagPayload', productTag } },
  });
  const [itemId = 0] = tenant.products;
  const changed = { __typename: 'Item', id: itemId, hasProductTag: true };
  const ticking = screen.mutate({
    text: tick,
    variables: { id: second, itemIds: [itemId] },
    optimistic: {
      addProductTagItems: {
        __typename: 'ProductTagPayload',
        productTag: { __typename: 'ProductTag', id: second, itemCount: 1 },
        changedItems: [changed],
      },
    },
  });
  await Promise.all([renaming, ticking]);
  await expect.poll(() => sorted.newest?.map(({ id }) => id)).toEqual([second, first]);
  await expect.poll(() => checkedIds(shown.newest)).toEqual([itemId]);
});

test('an item that somebody else has added already is ticked', async () => {
  const { tenant, screen, ids, openPicker } = await openTags(() => []);
  const [id = 0] = ids;
  const shown = await openPicker(id, 20);
  const itemIds = tenant.products.slice(3, 4);
  await app.client.graphql(tick, { id, itemIds }, tenant);
  await screen.mutate({ text: tick, variables: { id, itemIds } });
  await expect.poll(() => checkedIds(shown.newest)).toEqual(itemIds);
});

test('a repeated creation of a tag that is on screen shows it once', async () => {
  const { screen, openList } = await openTags(() => []);
  const list = await openList(tags(), {}, ({ productTags }) => productTags, 1);
  const again = create.replace('createProductTag(', 'createProductTag(idempotencyKey: "a-key-of-this-tag", ');
  for (const _time of [1, 2]) await screen.mutate({ text: again });
  await screen.readScreen();
  expect(list.newest).toHaveLength(2);
});

test('the items of a tag keep their rows off screen unless a mutation changes them', async () => {
  const { tenant, screen, ids, openList } = await openTags(
    (products) => products.slice(0, 60),
    () => [],
  );
  const [id = 0, other = 0] = ids;
  const detail = `query Detail($id: Int!, $first: Int = 20, $after: String) { productTag(id: $id) { id
    items(first: $first, after: $after) { nodes { id } pageInfo { hasNextPage endCursor } } } }`;
  const query = { text: detail, variables: { id } };
  // biome-ignore lint/suspicious/noExplicitAny: the data of the query
  const listOf = ({ productTag }: any) => productTag.items;
  (await openList(detail, { id }, listOf, 60)).leave();
  await screen.mutate({ text: tick, variables: { id: other, itemIds: tenant.products.slice(0, 1) } });
  const back = screen.list(query, listOf);
  await expect.poll(() => back.newest).toHaveLength(60);
  back.leave();
  await screen.mutate({ text: update, variables: { id, ids: tenant.products.slice(10, 60) } });
  const again = screen.list(query, listOf);
  await expect.poll(() => again.newest?.map((item) => item.id)).toEqual(tenant.products.slice(10, 30));
});

test('a list whose pages of 100 cost too much is read once more in shorter ones', async () => {
  const { tenant, screen, ids, openList } = await openTags(() => []);
  const costly = `query Costly($first: Int = 20, $after: String) { items(first: $first, after: $after) { nodes { id
    tags(first: 100) { nodes { id nameEn nameAr name itemCount version createdAt updatedAt } } }
    pageInfo { hasNextPage endCursor } } }`;
  const list = await openList(costly, {}, ({ items }) => items, 60);
  const [id = 0] = ids;
  const itemIds = tenant.products.slice(50, 51);
  const { text } = { text: tick.replace('hasProductTag(id: $id)', 'itemType') };
  await screen.mutate({ text, variables: { id, itemIds } });
  const tagged = () => list.newest?.filter((row) => (row as unknown as { tags: { nodes: [] } }).tags.nodes.length > 0);
  await expect.poll(() => tagged()?.map((row) => row.id)).toEqual(itemIds);
  expect(list.newest).toHaveLength(60);
});

test('after a mutation without a response, lists that are not on screen are right when they come back', async () => {
  const { tenant, screen, ids, openList } = await openTags(
    () => [],
    () => [],
  );
  const query = { text: tags(', orderBy: NAME_EN') };
  (await openList(query.text, {}, ({ productTags }) => productTags, 2)).leave();
  const [id, other] = ids;
  await app.client.graphql(`mutation { deleteProductTag(id: ${id}) { deletedProductTagId } }`, {}, tenant);
  await screen.readScreen();
  const again = screen.list(query, ({ productTags }) => productTags);
  await expect.poll(() => again.newest?.map((row) => row.id)).toEqual([other]);
});

test('two mutations at once read a list twice, and a whole list of more rows once', async () => {
  const { tenant, screen, sent, list } = await openSorted();
  sent.splice(0);
  const [first, second] = (list.newest ?? []).map(({ id }) => id);
  const renames = [first, second].map((id) =>
    screen.mutate({ text: renameOnly, variables: { id, nameEn: `Z ${id}` } }),
  );
  await Promise.all(renames);
  await expect.poll(() => list.newest?.[0]?.id).not.toBe(first);
  await setTimeout(100);
  expect(sent.length).toBeLessThanOrEqual(4);

  const { body } = await app.client.graphql(create, {}, tenant);
  const { id } = body.data.createProductTag.productTag;
  const detail = `query Detail($first: Int = 20, $after: String) { productTag(id: ${id}) { id
    items(first: $first, after: $after) { nodes { id } pageInfo { hasNextPage endCursor } } } }`;
  // biome-ignore lint/suspicious/noExplicitAny: the data of the query
  const items = screen.list({ text: detail }, ({ productTag }: any) => productTag.items);
  await expect.poll(() => items.newest).toEqual([]);
  sent.splice(0);
  await screen.mutate({ text: tick, variables: { id, itemIds: tenant.products } });
  await expect.poll(() => items.newest?.length).toBe(tenant.products.length);
  expect(sent).toHaveLength(2);
});

test('a deletion reads no list of tags, also after a search that was not loaded as a whole', async () => {
  const { screen, sent, list, shownIds } = await openSorted();
  const search = screen.list(
    { text: tags(', search: "Tag"').replace('totalCount', ''), variables: { first: 20 } },
    ({ productTags }) => productTags,
  );
  await expect.poll(() => search.newest).toHaveLength(20);
  search.leave();
  sent.splice(0);
  const [, ...others] = shownIds()?.toReversed() ?? [];
  const text = `mutation { deleteProductTag(id: ${list.newest?.at(-1)?.id}) { productTag { id } changedItems { id } } }`;
  await screen.mutate({ text });
  await setTimeout(100);
  expect(shownIds()).toEqual(others.toReversed());
  expect(sent).toHaveLength(1);
});

test('a list of more than one request is right after two mutations, one after the other', async () => {
  const { tenant, screen } = await openScreen({ count: 125 });
  const text = tags(', orderBy: NAME_EN').replace('totalCount nodes {', 'nodes { itemCount');
  const list = screen.list({ text, variables: { first: 25 } }, ({ productTags }) => productTags);
  await expect.poll(() => list.newest).toHaveLength(25);
  for (let length = 25; length < 125; length += 25) {
    await list.more();
    await expect.poll(() => list.newest?.length).toBeGreaterThan(length);
  }
  const [first, second, third] = (list.newest ?? []).map(({ id }) => id);
  const inService = async () =>
    (await app.client.graphql(text, { first: 100 }, tenant)).body.data.productTags.nodes as Node[];
  const expectRight = async () => {
    const rows = await inService();
    await expect.poll(() => list.newest?.slice(0, 100)).toMatchObject(rows);
  };
  await screen.mutate({ text: renameOnly, variables: { id: first, nameEn: 'Tag 000b' } });
  await screen.mutate({
    text: `mutation Add($id: Int!, $itemIds: [Int!]!) { addProductTagItems(id: $id, itemIds: $itemIds) {
      productTag { id itemCount } changedItems { id } } }`,
    variables: { id: second, itemIds: tenant.products.slice(0, 1) },
  });
  await expectRight();
  await screen.mutate({ text: renameOnly, variables: { id: first, nameEn: 'Tag 000c' } });
  await screen.mutate({
    text: `mutation { deleteProductTag(id: ${third}) { productTag { id } changedItems { id } } }`,
  });
  await expectRight();
  expect(list.newest).toHaveLength(124);
});

test.each([
  ['deletion', (id: number) => `mutation { deleteProductTag(id: ${id}) { productTag { id } changedItems { id } } }`],
  ['creation', () => create],
])('a %s counts once, although a page that counts it arrives before its response', async (_what, mutation) => {
  const { tenant, screen, network } = await openScreen({ count: 60 });
  let counted: { totalCount: number } | undefined;
  const listOf = ({ productTags }: { productTags: { totalCount: number } }) => {
    counted = productTags;
    return productTags;
  };
  const list = screen.list({ text: tags(), variables: { first: 20 } }, listOf);
  await expect.poll(() => list.newest).toHaveLength(20);
  network.pass = ({ query }) => query.startsWith('mutation') && setTimeout(200);
  const mutating = screen.mutate({ text: mutation(list.newest?.[3]?.id ?? 0) });
  await setTimeout(100);
  await list.more();
  await mutating;
  const { data } = (await app.client.graphql(tags(), { first: 1 }, tenant)).body;
  await expect.poll(() => list.newest && counted?.totalCount).toBe(data.productTags.totalCount);
});

test('a list whose rows on screen have all been deleted shows the next ones', async () => {
  const { screen } = await openScreen({ count: 5 });
  const list = screen.list({ text: tags(), variables: { first: 2 } }, ({ productTags }) => productTags);
  await expect.poll(() => list.newest).toHaveLength(2);
  const ids = (list.newest ?? []).map(({ id }) => id);
  for (const id of ids)
    await screen.mutate({ text: `mutation { deleteProductTag(id: ${id}) { productTag { id } changedItems { id } } }` });
  await expect.poll(() => list.newest?.length).toBeGreaterThan(0);
  expect(ids).not.toContain(list.newest?.[0]?.id);
});

test('nothing is read after a rejected creation, and nothing of a tag that somebody else has deleted', async () => {
  const { tenant, screen, sent } = await openScreen({ count: 3 });
  const list = screen.list({ text: tags(', orderBy: ITEM_COUNT') }, ({ productTags }) => productTags);
  await expect.poll(() => list.newest).toHaveLength(3);
  const { id = 0 } = list.newest?.[0] ?? {};
  const detail = screen.watch({
    text: `query Detail { productTag(id: ${id}) { id itemCount items { nodes { id } } } }`,
  });
  await expect.poll(() => detail.newest).toMatchObject({ productTag: { id } });
  sent.splice(0);
  const rejected = create.replace('AAA', 'x').replace('productTag {', 'userErrors { code } productTag {');
  await screen.mutate({ text: rejected });
  await setTimeout(100);
  expect(sent).toHaveLength(1);

  await app.client.graphql(`mutation { deleteProductTag(id: ${id}) { deletedProductTagId } }`, {}, tenant);
  await screen.mutate({ text: rename, variables: { id, nameEn: 'Too late' } });
  await expect.poll(() => list.newest).toHaveLength(2);
  await setTimeout(100);
  expect(sent.slice(2).map((each) => (each as Sent).query)).toEqual([expect.stringContaining('query Tags')]);
  expect(detail.newest).toMatchObject({ productTag: null });
});

test('a page that arrives before the response of an optimistic mutation does not stop the list', async () => {
  const { screen, list, network, idsInOrder, shownIds } = await openSorted();
  const [id = 0] = shownIds()?.slice(10) ?? [];
  const unsorted = screen.list({ text: tags(), variables: { first: 20 } }, ({ productTags }) => productTags);
  await expect.poll(() => unsorted.newest).toHaveLength(20);
  network.pass = ({ query }) => query.startsWith('mutation') && setTimeout(150);
  const renaming = screen.mutate({
    text: renameOnly,
    variables: { id, nameEn: 'AAA' },
    optimistic: {
      updateProductTag: {
        __typename: 'ProductTagPayload',
        productTag: { __typename: 'ProductTag', id, nameEn: 'AAA' },
      },
    },
  });
  await Promise.all([list.more(), unsorted.more()]);
  await renaming;
  await expect.poll(shownIds).toEqual(await idsInOrder(60));
  await expect.poll(() => [list.isLoading, unsorted.isLoading]).toEqual([false, false]);
  await screen.readScreen();
});

test('a page after the end of a list changes nothing', async () => {
  const { list, shownIds } = await openSorted();
  await list.more();
  await expect.poll(shownIds).toHaveLength(60);
  for (const _time of [1, 2]) await list.more();
  expect(shownIds()).toHaveLength(60);
});

test('a form with cache-and-network that was hidden while the tags of an item were set shows the tag as it is', async () => {
  const { tenant, screen, ids } = await openTags(() => []);
  const [id = 0] = ids;
  const form = {
    text: `query Form { productTag(id: ${id}) { id nameEn version itemCount } }`,
    fetchPolicy: 'cache-and-network',
  };
  const hidden = screen.watch(form);
  await expect.poll(() => hidden.newest).toMatchObject({ productTag: { itemCount: 0 } });
  hidden.leave();
  await screen.mutate({ text: set, variables: { item: tenant.products[0], tags: [id] } });
  const { data } = (await app.client.graphql(form.text, {}, tenant)).body;
  const shown = screen.watch(form);
  await expect.poll(() => shown.newest).toMatchObject(data);
  expect(data.productTag.itemCount).toBe(1);
});

test.each(['', ' pageInfo { hasNextPage endCursor }'])(
  'a preview in the rows of a list of tags leaves the rows of the items, on screen and off (%s)',
  async (pageInfo) => {
    const { tenant, screen, ids, openList } = await openTags(
      (products) => products.slice(0, 60),
      () => [],
    );
    const [id = 0, other = 0] = ids;
    const previews = `query Previews($first: Int = 25, $after: String) {
    productTags(first: $first, after: $after, orderBy: NAME_EN) { nodes { id nameEn items(first: 3) { nodes { id }${pageInfo} } }
      pageInfo { hasNextPage endCursor } } }`;
    const list = screen.list({ text: previews }, ({ productTags }) => productTags);
    const preview = () => {
      const rows = list.newest as unknown as { items: { nodes: Node[] } }[];
      return rows[0]?.items.nodes.map((item) => item.id);
    };
    await expect.poll(() => list.newest).toHaveLength(2);
    const detail = `query Detail($id: Int!, $first: Int = 20, $after: String) { productTag(id: $id) { id
    items(first: $first, after: $after) { nodes { id } pageInfo { hasNextPage endCursor } } } }`;
    // biome-ignore lint/suspicious/noExplicitAny: the data of the query
    const listOf = ({ productTag }: any) => productTag.items;
    const items = await openList(detail, { id }, listOf, 60);
    await screen.mutate({ text: renameOnly, variables: { id: other, nameEn: 'Tag 2' } });
    await expect.poll(() => list.newest?.[1]).toMatchObject({ nameEn: 'Tag 2' });
    await setTimeout(200);
    expect(items.newest).toHaveLength(60);
    expect(preview()).toEqual(tenant.products.slice(0, 3));
    items.leave();
    await screen.mutate({ text: update, variables: { id, ids: tenant.products.slice(10, 60) } });
    await expect.poll(preview).toEqual(tenant.products.slice(10, 13));
    const back = screen.list({ text: detail, variables: { id } }, listOf);
    await expect.poll(() => back.newest?.map((item) => item.id)).toEqual(tenant.products.slice(10, 30));
    back.leave();
    list.leave();
    const summary = screen.watch({
      text: 'query Summary($id: Int!) { productTag(id: $id) { id items(first: 3) { nodes { id } } } }',
      variables: { id },
    });
    await screen.mutate({ text: update, variables: { id, ids: tenant.products.slice(20, 60) } });
    const again = screen.list({ text: detail, variables: { id } }, listOf);
    await expect.poll(() => again.newest?.map((item) => item.id)).toEqual(tenant.products.slice(20, 40));
    const first = tenant.products.slice(20, 23).map((item) => ({ id: item }));
    await expect.poll(() => summary.newest).toMatchObject({ productTag: { items: { nodes: first } } });
  },
);

test('a page that comes too late does not hide what was read meanwhile', async () => {
  const { tenant, screen, list, idsInOrder, shownIds } = await openSorted();
  const page = await app.client.graphql(tags(', orderBy: NAME_EN'), { first: 40 }, tenant);
  const after = page.body.data.productTags.pageInfo.endCursor;
  const [id] = shownIds() ?? [];
  await app.client.graphql(`mutation { deleteProductTag(id: ${id}) { deletedProductTagId } }`, {}, tenant);
  await screen.readScreen();
  // Before Apollo Client has shown what is in the cache.
  await list.more(after);
  await expect.poll(shownIds).toEqual(await idsInOrder(40));
});

test.each(['', ', reverse: true'])(
  'two new tags are in order although their responses overtake (%s)',
  async (order) => {
    const { screen, network } = await openScreen({ count: 3 });
    const list = screen.list({ text: tags(order) }, ({ productTags }) => productTags);
    await expect.poll(() => list.newest).toHaveLength(3);
    const second = Promise.withResolvers<void>();
    let isFirst = true;
    network.pass = () => {
      if (!isFirst) return undefined;
      isFirst = false;
      return second.promise;
    };
    const first = screen.mutate({ text: create });
    await setTimeout(200);
    await screen.mutate({ text: create });
    second.resolve();
    await first;
    await expect.poll(() => list.newest).toHaveLength(5);
    const ids = list.newest?.map(({ id }) => id) ?? [];
    expect(ids).toEqual(ids.toSorted((a, b) => (order ? b - a : a - b)));
  },
);

test('a list that is left while a page is on its way comes back from its first page', async () => {
  const { screen, network } = await openScreen({ count: 60 });
  const query = { text: tags(', orderBy: NAME_EN'), variables: { first: 20 } };
  const open = () => screen.list(query, ({ productTags }) => productTags);
  const list = open();
  await expect.poll(() => list.newest).toHaveLength(20);
  const arrival = Promise.withResolvers<void>();
  network.pass = ({ variables }) => variables.after && arrival.promise;
  const page = list.more();
  list.leave();
  await screen.mutate({ text: create });
  arrival.resolve();
  await page;
  const again = open();
  await expect.poll(() => again.newest?.[0]).toMatchObject({ nameEn: 'AAA' });
  expect(again.newest).toHaveLength(20);
});

test('a search that is taken back while it is on its way does not hide a mutation', async () => {
  const { screen, network } = await openScreen({ count: 3 });
  const text = 'query Found($search: String) { productTags(search: $search) { nodes { id nameEn } } }';
  const list = screen.watch({ text });
  const names = () => nodesOf(list.newest)?.map(({ nameEn }) => nameEn);
  await expect.poll(names).toHaveLength(3);
  const [{ id } = { id: 0 }] = nodesOf(list.newest) ?? [];
  const found = Promise.withResolvers<void>();
  network.pass = ({ variables }) => variables.search && found.promise;
  list.search({ search: 'Tag' });
  list.search({});
  await screen.mutate({ text: rename, variables: { id, nameEn: 'Other' } });
  found.resolve();
  await expect.poll(names).toEqual(['Other', 'Tag 001', 'Tag 002']);
});

const nodesOf = (data: unknown) =>
  (data as { productTags: { nodes: { id: number; nameEn: string }[] } } | undefined)?.productTags.nodes;

const set = `mutation Set($item: Int!, $tags: [Int!]!) { setItemTags(itemId: $item, productTagIds: $tags) {
  item { id tags(first: 100) { nodes { id } } } userErrors { code } } }`;
const tagsOfItem = 'query TagsOfItem($item: Int!) { item(id: $item) { id tags(first: 100) { nodes { id } } } }';
const itemsWithTags = `query ItemsWithTags($other: Int!) { productTag(id: $other) { id
  items(first: 100) { nodes { id tags(first: 100) { nodes { id } } } } } }`;

test.each([
  ['tags of an item', tagsOfItem, update],
  ['tags of an item', tagsOfItem, tick],
  ['tags of the items of another tag', itemsWithTags, update],
  ['number of items', 'query Header($id: Int!) { productTag(id: $id) { id itemCount version updatedAt } }', set],
  [
    'checkbox of an item',
    'query Checkbox($item: Int!, $id: Int!) { item(id: $item) { id hasProductTag(id: $id) } }',
    set,
  ],
  ['ids of the items', 'query Ids($id: Int!) { productTag(id: $id) { id itemIds } }', tick],
])('the %s that was not on screen during a mutation is read when it comes back', async (_name, text, mutation) => {
  const { tenant, screen, ids, openList } = await openTags(
    () => [],
    (products) => products.slice(0, 2),
  );
  const [id = 0, other = 0] = ids;
  const [item = 0] = tenant.products;
  const variables = { id, other, item };
  const list = await openList(picker, { tag: other }, ({ items }) => items, 40);
  const before = screen.watch({ text, variables });
  await expect.poll(() => before.newest).toBeDefined();
  before.leave();
  await screen.mutate({ text: mutation, variables: { ...variables, ids: [item], itemIds: [item], tags: [id, other] } });
  const { data } = (await app.client.graphql(text, variables, tenant)).body;
  expect(before.newest).not.toMatchObject(data);
  const back = screen.watch({ text, variables });
  await expect.poll(() => back.newest).toMatchObject(data);
  expect(list.newest).toHaveLength(40);
});
