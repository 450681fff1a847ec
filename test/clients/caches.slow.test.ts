import { afterAll, describe, expect, test, vi } from 'vitest';
import { startApp, use } from '../support/test-app.ts';

interface Query {
  text: string;
}

interface Screen {
  watch(query: Query): { newest: unknown };
  // biome-ignore lint/suspicious/noExplicitAny: the data of any mutation
  mutate(operation: { text: string; variables: object }): Promise<any>;
}

type Open = (url: string, headers: object, fetch: typeof globalThis.fetch) => Screen;

const path = new URL('./screens.js', import.meta.url).href;
const { screens }: { screens: Record<string, Open> } = await import(path);

const app = use(await startApp());
const warnings = vi.spyOn(console, 'warn');
afterAll(() => warnings.mockRestore());

const items = 'items(first: 100, itemType: PRODUCT)';
const tags = 'productTags(first: 100)';
const queries: Query[] = [
  {
    text: 'query Lookups { brands: lookups(key: BRAND_TYPES) { key value name } days: lookups(key: WEEK_DAYS) { key value name } }',
  },
  {
    text: 'query Company { partner { id name } company { id name address { line } branches { nodes { id name } } } }',
  },
  {
    text: `query Items { ${items} { nodes { id name tags(first: 100) { nodes { id name } } } } }`,
  },
  {
    text: `query ItemCount { ${items} { totalCount nodes { id tags(first: 100) { totalCount } } } company { id address { city { id name } } } }`,
  },
  { text: `query Tags { ${tags} { nodes { id name itemCount } } }` },
  { text: `query TagCount { ${tags} { totalCount } }` },
  {
    text: 'query Found { productTags(first: 3, search: "spicy", orderBy: NAME_EN) { totalCount nodes { id nameEn } } }',
  },
  {
    text: `query Details { items(first: 2) { nodes { id tags(first: 5) {
      totalCount nodes { id itemCount version items(first: 5) { totalCount nodes { id } } } } } } }`,
  },
];

const mutations = {
  create: `mutation Create($itemIds: [Int!]) { createProductTag(input: { nameEn: "Spicy", itemIds: $itemIds }) {
    productTag { id name nameEn version itemCount } } }`,
  rename: `mutation Rename($id: Int!) { updateProductTag(id: $id, input: { nameEn: "Hot" }) {
    productTag { id name nameEn version itemCount } } }`,
  add: `mutation Add($id: Int!, $itemIds: [Int!]!) { addProductTagItems(id: $id, itemIds: $itemIds) {
    productTag { id version itemCount } } }`,
  set: `mutation Set($itemId: Int!, $tags: [Int!]!) { setItemTags(itemId: $itemId, productTagIds: $tags) {
    item { id tags(first: 100) { totalCount nodes { id name version itemCount } } } } }`,
  delete: 'mutation Delete($id: Int!) { deleteProductTag(id: $id) { productTag { id } } }',
};

const plain = (data: unknown) =>
  data && JSON.parse(JSON.stringify(data, (key, value) => (key === '__typename' ? undefined : value)));

test.each(Object.entries(screens))('%s keeps a screen right with few requests', async (_name, open) => {
  const tenant = await app.createTenant();
  const headers = { Authorization: `Bearer ${tenant.token}` };
  const sent: string[] = [];
  let pending = 0;
  const counting = async (input: string | URL | Request, init?: RequestInit) => {
    // urql sends queries by GET.
    const text = init?.body ?? new URL(String(input)).searchParams.get('query');
    sent.push(/(?:query|mutation) (\w+)/.exec(String(text))?.[1] ?? '');
    pending += 1;
    return fetch(input, init).finally(() => {
      pending -= 1;
    });
  };
  const screen = open(`${app.url}/graphql`, headers, counting);

  const expectRight = async (shown: { newest: unknown }[]) => {
    const expected = await Promise.all(
      queries.map(async ({ text }) => (await app.client.graphql(text, {}, tenant)).body.data),
    );
    await expect.poll(() => [pending, ...shown.map(({ newest }) => plain(newest))]).toEqual([0, ...expected]);
    // A further request would follow at once.
    await new Promise(setImmediate);
    expect(pending).toBe(0);
  };
  const names = ['Company', 'Details', 'Found', 'ItemCount', 'Items', 'Lookups', 'TagCount', 'Tags'];
  const watched = queries.map((query) => screen.watch(query));
  await expectRight(watched);
  expect(sent.splice(0).toSorted()).toEqual(names);
  const again = queries.map((query) => screen.watch(query));
  await expectRight(again);
  expect(sent).toEqual([]);

  const mutate = async (text: string, variables: object) => {
    const data = await screen.mutate({ text, variables });
    await expectRight(watched);
    await expectRight(again);
    const [, ...refetched] = sent.splice(0);
    expect(new Set(refetched).size).toBe(refetched.length);
    return data;
  };
  const [first = 0, second = 0] = tenant.products;
  const { createProductTag } = await mutate(mutations.create, { itemIds: [first] });
  const { id } = createProductTag.productTag;
  await mutate(mutations.rename, { id });
  await mutate(mutations.add, { id, itemIds: [tenant.products[2]] });
  await mutate(mutations.set, { itemId: second, tags: [id] });
  await mutate(mutations.set, { itemId: first, tags: [] });
  await mutate(mutations.delete, { id });
  expect(warnings).not.toHaveBeenCalled();
});

describe.each(['Apollo Client', "urql's graphcache"])('%s shows', (name) => {
  const open = screens[name] as Open;

  async function openTag() {
    const tenant = await app.createTenant();
    const [first, second = 0, third = 0] = tenant.products;
    const send = async (text: string, variables = {}) => (await app.client.graphql(text, variables, tenant)).body.data;
    const { createProductTag } = await send(mutations.create, { itemIds: [first] });
    const { id, version } = createProductTag.productTag;
    const screen = open(`${app.url}/graphql`, { Authorization: `Bearer ${tenant.token}` }, fetch);
    const texts = [
      'query Tags { productTags { totalCount nodes { id nameEn itemCount } pageInfo { hasNextPage } } }',
      'query Sorted { productTags(orderBy: NAME_EN) { nodes { id nameEn } } }',
      'query Items { items(first: 100) { nodes { id tags { nodes { id nameEn } } } } }',
      `query Picker { items(itemType: PRODUCT) { nodes { id hasProductTag(id: ${id}) } } }`,
      `query Detail { productTag(id: ${id}) { id nameEn version itemCount items { nodes { id } } } }`,
    ];
    const shown = texts.map((text) => screen.watch({ text }));
    const expectRight = async () => {
      const expected = await Promise.all(texts.map((text) => send(text)));
      await expect.poll(() => shown.map(({ newest }) => plain(newest))).toEqual(expected);
    };
    await expectRight();
    const update = (input: string) =>
      screen.mutate({
        text: `mutation Update($id: Int!, $ifMatch: String) { updateProductTag(id: $id, input: ${input}, ifMatch: $ifMatch) {
          productTag { id nameEn version itemCount } changedItems { id }
          current { id nameEn version itemCount } userErrors { code } } }`,
        variables: { id, ifMatch: version },
      });
    return { id, second, third, send, update, expectRight };
  }

  test('the items of an update that selects only their ids', async () => {
    const { second, third, update, expectRight } = await openTag();
    await update(`{ nameEn: "Warm", itemIds: [${second}, ${third}] }`);
    await expectRight();
  });

  test('what somebody else has changed, after a conflict', async () => {
    const { id, third, send, update, expectRight } = await openTag();
    await send(`mutation { updateProductTag(id: ${id}, input: { nameEn: "Cold", itemIds: [${third}] }) { replayed } }`);
    const { updateProductTag } = await update('{ nameEn: "Mild" }');
    expect(updateProductTag).toMatchObject({ current: { nameEn: 'Cold' }, userErrors: [{ code: 'VERSION_MISMATCH' }] });
    await expectRight();
  });

  test('that somebody else has deleted a tag, after its mutation', async () => {
    const { id, send, update, expectRight } = await openTag();
    await send(mutations.delete, { id });
    const { updateProductTag } = await update('{ nameEn: "Mild" }');
    expect(updateProductTag).toMatchObject({ userErrors: [{ code: 'PRODUCT_TAG_NOT_FOUND' }] });
    await expectRight();
  });
});
