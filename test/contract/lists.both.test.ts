import { getNullableType, isLeafType, isObjectType, isRequiredArgument } from 'graphql';
import { describe, expect, test } from 'vitest';
import type { ItemTypeValue } from '../../src/domain/tables.ts';
import { surfaces } from '../support/product-tag.ts';
import { byId } from '../support/reference.ts';
import { schema } from '../support/schema.ts';
import { sharedApp } from '../support/test-app.ts';

const app = await sharedApp();
const own = await app.createTenant({ products: 1 });
const other = await app.createTenant({ products: 3 });

const names: [itemType: ItemTypeValue, nameEn: string, nameAr: string][] = [
  ['product', 'Café Latte', 'قهوة لاتيه'],
  ['product', '100% Juice', 'عصير'],
  ['product', '100 Wings_XL', 'أجنحة'],
  ['modifier', 'Large latte', 'كبير'],
  ['product', 'LATTE cold', 'لاتيه بارد'],
  ['product', 'Éclair', 'إكلير'],
  ['product', 'eclair', 'الشاي'],
  ['product', 'Zinger', 'أرز مَشْوي'],
  ['product', 'Apple', 'ﻻ تـــمر ٢'],
];
const { companyId } = own;
await app.db.deleteFrom('items').where('companyId', '=', companyId).execute();
const rows = names.map(([itemType, nameEn, nameAr]) => ({ companyId, itemType, nameEn, nameAr }));
const all = byId(await app.db.insertInto('items').values(rows).returning(['id', 'nameEn']).execute());
const findIds = (...wanted: string[]) => wanted.map((name) => all.find(({ nameEn }) => nameEn === name)?.id as number);
const createTag = async (name_en: string, name_ar: string | null, ...items: string[]) =>
  (await surfaces.REST.create(app.client, { name_en, name_ar, item_ids: findIds(...items) }, own)).id;
const hot = await createTag('Hot', 'حار', 'Café Latte', '100% Juice', 'Zinger');
const drinks = await createTag('drinks', 'إبريق', 'Café Latte', 'LATTE cold');
const bare = await createTag('Árbol', null);
const theirs = await surfaces.REST.create(app.client, { name_en: 'Theirs', item_ids: other.products }, other);

/** The document of a list, with all of its arguments as variables. */
function createDocument(list: string, fields: string): string {
  const { args = [] } = schema.getQueryType()?.getFields()[list] ?? {};
  const variables = args.map(({ name, type }) => `$${name}: ${type}`).join();
  return `query (${variables}) { list: ${list}(${args.map(({ name }) => `${name}: $${name}`).join()}) {
    totalCount nodes { id nameEn ${fields} } edges { cursor } pageInfo { hasNextPage endCursor } } }`;
}

const lists = { items: createDocument('items', ''), productTags: createDocument('productTags', 'itemCount') };
type List = keyof typeof lists;

const send = async (list: List, variables: object) => (await app.client.graphql(lists[list], variables, own)).body;

async function read(list: List, variables: object) {
  const { data, errors } = await send(list, variables);
  expect(errors).toBeUndefined();
  return data.list;
}

const formatNames = ({ nodes }: { nodes: { nameEn: string }[] }) => nodes.map(({ nameEn }) => nameEn);

describe('searches', () => {
  test.each<[search: string, expected: string[]]>([
    ['latte', ['Café Latte', 'Large latte', 'LATTE cold']],
    [' LATTE\t', ['Café Latte', 'Large latte', 'LATTE cold']],
    ['cold\nlatte cold', ['LATTE cold']],
    ['atte قهوه', ['Café Latte']],
    ['café', ['Café Latte']],
    ['CAFE\u0301', ['Café Latte']],
    ['eclair', ['Éclair', 'eclair']],
    ['ÉCLAIR', ['Éclair', 'eclair']],
    ['ｅｃｌ', ['Éclair', 'eclair']],
    ['ارز', ['Zinger']],
    ['أَرُز مشوى', ['Zinger']],
    ['اكلير', ['Éclair']],
    ['الشاى', ['eclair']],
    ['قهوه', ['Café Latte']],
    ['قَهْـــوة', ['Café Latte']],
    ['لا تمر 2', ['Apple']],
    ['0%', ['100% Juice']],
    ['%a', []],
    ['s_x', ['100 Wings_XL']],
    ['__', []],
    ['\\', []],
    ['latteل', []],
    ['latte latte Latte LATTE 1 1 1 1 1 1', []],
    ['z', ['Zinger']],
    ['\u200fz\u200b', ['Zinger']],
  ])('%j', async (search, expected) => {
    const found = await read('items', { search });
    expect(formatNames(found)).toEqual(expected);
    expect(found.totalCount).toBe(expected.length);
    const byName = await read('items', { search, orderBy: 'NAME_EN' });
    expect(formatNames(byName).toSorted()).toEqual(expected.toSorted());
  });

  test.each(['', '  ', '\t\n', null])('the blank text %j is no search', async (search) => {
    for (const list of Object.keys(lists) as List[]) {
      expect((await read(list, { search })).totalCount).toBe(list === 'items' ? all.length : 3);
    }
  });

  test('searches tags by both names', async () => {
    expect(formatNames(await read('productTags', { search: 'arbol' }))).toEqual(['Árbol']);
    expect(formatNames(await read('productTags', { search: 'ابريق DRI', orderBy: 'NAME_AR' }))).toEqual(['drinks']);
  });
});

test('a search matches backslash, % and _ literally, in items and tags', async () => {
  const tenant = await app.createTenant({ products: 4 });
  const texts = ['Fish \\ Chips', 'Fish 100% Chips', 'Fish_Chips', 'Fish Chips'];
  const rename = ([index, nameEn]: [number, string]) =>
    app.db
      .updateTable('items')
      .set({ nameEn })
      .where('id', '=', tenant.products[index] as number)
      .execute();
  await Promise.all([...texts.entries()].map(rename));
  for (const name_en of texts) await surfaces.REST.create(app.client, { name_en }, tenant);
  const list = '{ totalCount nodes { nameEn } }';
  const document = `query ($search: String) {
    items(search: $search, itemType: PRODUCT) ${list} productTags(search: $search) ${list} }`;
  const found = async (search: string) => (await app.client.graphql(document, { search }, tenant)).body.data;
  for (const [search, expected] of [
    ['\\', texts.slice(0, 1)],
    ['h \\ c', texts.slice(0, 1)],
    ['\\ chips', texts.slice(0, 1)],
    ['%', texts.slice(1, 2)],
    ['0%', texts.slice(1, 2)],
    ['_', texts.slice(2, 3)],
    ['\\%', []],
    ['\\\\', []],
  ] as const) {
    const connection = { totalCount: expected.length, nodes: expected.map((nameEn) => ({ nameEn })) };
    expect({ search, ...(await found(search)) }).toEqual({ search, items: connection, productTags: connection });
  }
});

test.each(['ID', 'NAME_EN', 'NAME_AR'])('pages of one tag by %s are the complete list', async (orderBy) => {
  const tenant = await app.createTenant();
  const tags: [nameEn: string, nameAr: string | null][] = [
    ['Sweet', 'حلو'],
    ['bitter', null],
    ['Árbol', null],
    ['Sweet', null],
    ['Hot', 'أحمر حار'],
    ['Sweet', 'حلو'],
    ['apple', 'تفاح'],
  ];
  for (const [name_en, name_ar] of tags) await surfaces.REST.create(app.client, { name_en, name_ar }, tenant);
  const page = async (variables: object) =>
    (await app.client.graphql(lists.productTags, { orderBy, ...variables }, tenant)).body.data.list;
  const whole = await page({ first: 100 });
  expect(whole.nodes).toHaveLength(7);
  const paged: object[] = [];
  for (let after = null, hasNextPage = true; hasNextPage; ) {
    const { nodes, pageInfo } = await page({ first: 1, after });
    expect(nodes).toHaveLength(1);
    paged.push(...nodes);
    ({ endCursor: after, hasNextPage } = pageInfo);
  }
  expect(paged).toEqual(whole.nodes);
});

test.each<[variables: object, expected: string[]]>([
  [{ itemType: 'MODIFIER' }, ['Large latte']],
  [{ search: 'latte', itemType: 'PRODUCT' }, ['Café Latte', 'LATTE cold']],
  [{ tagged: true }, ['Café Latte', '100% Juice', 'LATTE cold', 'Zinger']],
  [{ tagged: false }, ['100 Wings_XL', 'Éclair', 'eclair', 'Apple']],
  [{ tagged: false, itemType: 'MODIFIER' }, []],
  [{ tagged: true, search: 'latte' }, ['Café Latte', 'LATTE cold']],
  [{ tagged: false, search: 'latte' }, []],
  [{ productTagIds: [hot, drinks, hot] }, ['Café Latte', '100% Juice', 'LATTE cold', 'Zinger']],
  [{ productTagIds: [drinks], tagged: true, itemType: 'PRODUCT' }, ['Café Latte', 'LATTE cold']],
  [{ productTagIds: [drinks], itemType: 'MODIFIER' }, []],
  [{ productTagIds: [drinks], tagged: false }, []],
  [{ productTagIds: [hot], search: 'e' }, ['Café Latte', '100% Juice', 'Zinger']],
  [{ productTagIds: [] }, []],
  [{ productTagIds: [bare, theirs.id, 0, -1] }, []],
  [{ productTagIds: [hot], tagged: true, search: 'z' }, ['Zinger']],
  [{ itemType: null, search: null, tagged: null, productTagIds: null }, names.map(([, nameEn]) => nameEn)],
])('items with %j, in every order, page by page, and their count', async (variables, expected) => {
  for (const orderBy of ['ID', 'NAME_EN', 'NAME_AR']) {
    const whole = await read('items', { ...variables, orderBy });
    expect(whole.totalCount).toBe(expected.length);
    if (orderBy === 'ID') expect(formatNames(whole)).toEqual(expected);
    else expect(formatNames(whole).toSorted()).toEqual(expected.toSorted());
    const paged: object[] = [];
    for (let after = null, hasNextPage = true; hasNextPage; ) {
      const page = await read('items', { ...variables, orderBy, after, first: 2 });
      expect(page.totalCount).toBe(expected.length);
      paged.push(...page.nodes);
      ({ endCursor: after, hasNextPage } = page.pageInfo);
    }
    expect(paged).toEqual(whole.nodes);
  }
});

test('names sort alphabetically in both languages, and equal names by id', async () => {
  const sorted = ['100 Wings_XL', '100% Juice', 'Apple', 'Café Latte', 'eclair', 'Éclair', 'Large latte', 'LATTE cold'];
  expect(formatNames(await read('items', { orderBy: 'NAME_EN' }))).toEqual([...sorted, 'Zinger']);
  // أجنحة, أرز, إكلير, الشاي, عصير, قهوة, كبير, لاتيه
  const arabic = formatNames(await read('items', { orderBy: 'NAME_AR' }));
  expect(arabic.filter((name) => name !== 'Apple')).toEqual([
    '100 Wings_XL',
    'Zinger',
    'Éclair',
    'eclair',
    '100% Juice',
    'Café Latte',
    'Large latte',
    'LATTE cold',
  ]);
  expect(formatNames(await read('productTags', { orderBy: 'NAME_EN' }))).toEqual(['Árbol', 'drinks', 'Hot']);
  // A tag without an Arabic name sorts by its English one.
  expect(formatNames(await read('productTags', { orderBy: 'NAME_AR' }))).toEqual(['drinks', 'Hot', 'Árbol']);
});

test.each(['items', 'productTags'] as const)(
  '%s by NAME_AR group spellings of a name, and sort Arabic before Latin',
  async (list) => {
    const dishes = [
      ['إبريق شاي', 'أجنحة دجاج', 'أرز بخاري', 'ارز بخاري', 'أرز مندي', 'أم علي', 'بابا غنوج', 'برياني دجاج'],
      ['بسبوسة', 'بَسبوسة', 'بقلاوة', 'بيتزا جبن', 'بيتزا BBQ', 'تبولة', 'جريش', 'حمص', 'سمبوسة', 'شاورما دجاج'],
      ['شاى اخضر', 'شاي أخضر', 'عشاء عائلي', 'عصير مانجو', 'فتة حمص', 'فطاير جبن', 'فطائر سبانخ', 'فلافل'],
      ['قهوة عربية', 'كبّـة مقلية', 'كبسة لحم', 'كنافة', 'هريس', 'Burger', 'Pepsi'],
    ].flat();
    const tenant = await app.createTenant();
    const { companyId } = tenant;
    const rows = dishes
      .toSorted((a, b) => a.length - b.length)
      .map((nameAr) => ({ companyId, nameEn: 'Dish', nameAr }));
    if (list === 'productTags') await app.db.insertInto(list).values(rows).execute();
    else {
      await app.db.deleteFrom(list).where('companyId', '=', companyId).execute();
      await app.db
        .insertInto(list)
        .values(rows.map((row) => ({ ...row, itemType: 'product' as const })))
        .execute();
    }
    const document = `query ($first: Int, $after: String, $reverse: Boolean) {
      list: ${list}(first: $first, after: $after, orderBy: NAME_AR, reverse: $reverse) {
        nodes { nameAr } pageInfo { hasNextPage endCursor } } }`;
    const readAll = async (first: number, reverse: boolean) => {
      const found: string[] = [];
      for (let after = null, hasNextPage = true; hasNextPage; ) {
        const { body } = await app.client.graphql(document, { first, after, reverse }, tenant);
        found.push(...body.data.list.nodes.map(({ nameAr }: { nameAr: string }) => nameAr));
        ({ endCursor: after, hasNextPage } = body.data.list.pageInfo);
      }
      return found;
    };
    expect(await readAll(100, false)).toEqual(dishes);
    expect(await readAll(1, false)).toEqual(dishes);
    expect(await readAll(4, true)).toEqual(dishes.toReversed());
  },
);

test.each(['NAME_EN', 'NAME_AR'])('a cursor by %s stays valid after its row is renamed or deleted', async (orderBy) => {
  const tenant = await app.createTenant({ products: 5 });
  const order = `orderBy: ${orderBy}, itemType: PRODUCT`;
  const page = async (more: string) =>
    (await app.client.graphql(`{ items(${order}, ${more}) { nodes { id } pageInfo { endCursor } } }`, {}, tenant)).body
      .data.items;
  const { endCursor } = (await page('first: 2')).pageInfo;
  const own = app.db.updateTable('items').where('id', '=', tenant.products[1] as number);
  await own.set({ nameEn: 'zzz', nameAr: 'ييي' }).execute();
  const rest = tenant.products.slice(2).map((id) => ({ id }));
  expect((await page(`first: 3, after: "${endCursor}"`)).nodes).toEqual(rest);
  await app.db
    .deleteFrom('items')
    .where('id', '=', tenant.products[1] as number)
    .execute();
  expect((await page(`first: 3, after: "${endCursor}"`)).nodes).toEqual(rest);
});

test('a cursor supports names of 255 characters', async () => {
  const tenant = await app.createTenant({ products: 2 });
  await app.db
    .updateTable('items')
    .where('companyId', '=', tenant.companyId)
    .set({ nameEn: '😀'.repeat(255) })
    .execute();
  const list = (more: string) =>
    app.client.graphql(
      `{ items(first: 3, orderBy: NAME_EN${more}) { nodes { id } pageInfo { endCursor } } }`,
      {},
      tenant,
    );
  const { endCursor } = (await list('')).body.data.items.pageInfo;
  expect((await list(`, after: "${endCursor}"`)).body.data.items.nodes).toHaveLength(1);
});

/** The fields of a type that are neither objects nor lists. */
function listLeaves(name: string): string {
  const type = schema.getType(name);
  const fields = isObjectType(type) ? Object.values(type.getFields()) : [];
  const leaves = fields.filter(
    (field) => isLeafType(getNullableType(field.type)) && !field.args.some(isRequiredArgument),
  );
  return leaves.map(({ name }) => name).join(' ');
}

test('an item and a tag have equal, non-null values in every field that returns them', async () => {
  const both = findIds('Café Latte', 'LATTE cold');
  const [item] = findIds('LATTE cold');
  const [itemFields, tagFields] = [listLeaves('Item'), listLeaves('ProductTag')];
  const items = `{ nodes { ${itemFields} } edges { node { ${itemFields} } } }`;
  const tags = `{ nodes { ${tagFields} items ${items} } edges { node { ${tagFields} } } }`;
  const send = async (document: string) => (await app.client.graphql(document, {}, own)).body;
  const written = `productTag { ${tagFields} items ${items} } userErrors { code }`;
  const bodies = [
    await send(`{ item(id: ${item}) { ${itemFields} tags ${tags} } itemsByIds(ids: [${item}]) { ${itemFields} }
      byName: items(itemType: PRODUCT, orderBy: NAME_EN) ${items}
      productTag(id: ${drinks}) { ${tagFields} items ${items} }
      productTagsByIds(ids: [${drinks}]) { ${tagFields} } productTags(search: "drinks") ${tags} }`),
    await send(`mutation { addProductTagItems(id: ${drinks}, itemIds: [${both}]) { ${written} } }`),
    await send(`mutation { updateProductTag(id: ${drinks}, input: { itemIds: [${both}] }) { ${written} } }`),
  ];
  const found: Record<string, unknown>[] = [];
  JSON.stringify(bodies, (_, value) => {
    if (value?.id !== undefined) found.push(value);
    return value;
  });
  for (const [id, one, fields] of [
    [item, 'itemType', itemFields],
    [drinks, 'version', tagFields],
  ] as const) {
    const objects = found.filter((each) => each.id === id && one in each);
    expect(objects.length).toBeGreaterThan(5);
    const values = objects.map((each) => fields.split(' ').map((field) => each[field]));
    expect(values).toEqual(values.map(() => values[0]));
    expect(values[0]).not.toContain(null);
  }
});

const encode = (text: string) => Buffer.from(text).toString('base64url');
test.each<[list: List, variables: object]>([
  ['items', { search: '1 2 3 4 5 6 7 8 9' }],
  ['items', { search: 'x'.repeat(256) }],
  ['items', { search: 'a\u0000b' }],
  ['productTags', { search: 'x'.repeat(300_000) }],
  ['items', { search: ' '.repeat(256) }],
  ['items', { productTagIds: Array.from({ length: 101 }, (_, index) => index) }],
  ['items', { after: encode('item:NAME_EN:1:Zinger') }],
  ['items', { after: encode('item:1'), orderBy: 'NAME_EN' }],
  ['items', { after: encode('item:NAME_EN:1:Zinger'), orderBy: 'NAME_AR' }],
  ['items', { after: encode('item:NAME_EN:1:'), orderBy: 'NAME_EN' }],
  ['items', { after: encode('item:NAME_EN:2147483648:Zinger'), orderBy: 'NAME_EN' }],
  ['items', { after: encode('item:NAME_EN:1:Zin\u0000ger'), orderBy: 'NAME_EN' }],
  ['items', { after: Buffer.from('item:NAME_EN:1:\xff', 'latin1').toString('base64url'), orderBy: 'NAME_EN' }],
  ['items', { after: encode('tag:NAME_EN:1:Zinger'), orderBy: 'NAME_EN' }],
  ['productTags', { after: encode('item:NAME_EN:1:Zinger'), orderBy: 'NAME_EN' }],
])('%s with %j are rejected before any read', async (list, variables) => {
  const { data, errors } = await send(list, variables);
  expect(data).toBeUndefined();
  const message = expect.stringContaining(Object.keys(variables)[0] as string);
  expect(errors).toMatchObject([{ message, extensions: { code: 'BAD_USER_INPUT' } }]);
});

test('accepts 8 different words and 100 ids', async () => {
  expect((await read('items', { search: '1 2 3 4 5 6 7 8' })).nodes).toEqual([]);
  const ids = Array.from({ length: 100 }, (_, index) => -index);
  expect((await read('items', { productTagIds: ids })).nodes).toEqual([]);
});

test('counts match the lists and the tags', async () => {
  const query = `{ productTags { totalCount nodes { id itemCount items(first: 1) { totalCount } } }
    itemsByIds(ids: [${findIds('Café Latte', 'Apple')}]) { tags(first: 1) { totalCount } } company { id } }`;
  const { body } = await app.client.graphql(query, {}, own);
  const count = (id: number, itemCount: number) => ({ id, itemCount, items: { totalCount: itemCount } });
  expect(body.data.productTags).toEqual({ totalCount: 3, nodes: [count(hot, 3), count(drinks, 2), count(bare, 0)] });
  expect(body.data.itemsByIds).toEqual([2, 0].map((totalCount) => ({ tags: { totalCount } })));
});

test('the number of items changes with every write', async () => {
  const tenant = await app.createTenant({ products: 4 });
  const [first = 0, second = 0, third = 0, fourth = 0] = tenant.products;
  const mutate = async (call: string) => {
    const { body } = await app.client.graphql(
      `mutation { m: ${call} { productTag { id itemCount version } } }`,
      {},
      tenant,
    );
    return body.data.m.productTag;
  };
  const { id, itemCount, version } = await mutate(`createProductTag(input: { nameEn: "Tag", itemIds: [${first}] })`);
  expect(itemCount).toBe(1);
  const versions = [version];
  for (const [call, expected] of [
    [`addProductTagItems(id: ${id}, itemIds: [${first}, ${second}, ${third}])`, 3],
    [`updateProductTag(id: ${id}, input: { nameEn: "Tag", itemIds: [${second}, ${third}, ${fourth}] })`, 3],
    [`removeProductTagItems(id: ${id}, itemIds: [${fourth}])`, 2],
    [`updateProductTag(id: ${id}, input: { nameEn: "Tag", itemIds: [] })`, 0],
    [`updateProductTag(id: ${id}, input: { nameEn: "Tag", itemIds: [${first}, ${second}] })`, 2],
  ] as const) {
    const tag = await mutate(call);
    expect(tag.itemCount).toBe(expected);
    versions.push(tag.version);
  }
  await app.db.deleteFrom('items').where('id', '=', first).execute();
  const { body } = await app.client.graphql(`{ productTag(id: ${id}) { itemCount version } }`, {}, tenant);
  expect(body.data.productTag.itemCount).toBe(1);
  versions.push(body.data.productTag.version);
  expect(new Set(versions).size).toBe(versions.length);
});

describe('reverse', () => {
  const orders = { items: ['ID', 'NAME_EN', 'NAME_AR'], productTags: ['ID', 'NAME_EN', 'NAME_AR', 'ITEM_COUNT'] };
  test.each(Object.entries(orders).flatMap(([list, each]) => each.map((orderBy) => [list as List, orderBy] as const)))(
    'pages of two %s by %s are the list in reverse',
    async (list, orderBy) => {
      const forward = await read(list, { orderBy, first: 100 });
      const shown: unknown[] = [];
      for (let after = null, hasNextPage = true; hasNextPage; ) {
        const { nodes, pageInfo } = await read(list, { orderBy, reverse: true, first: 2, after });
        shown.push(...nodes);
        ({ endCursor: after, hasNextPage } = pageInfo);
      }
      expect(shown).toEqual(forward.nodes.toReversed());
    },
  );

  test('and the order are part of a cursor, and other lists reject it', async () => {
    const readCursor = async (list: List, variables: object) =>
      (await read(list, { first: 1, ...variables })).pageInfo.endCursor;
    const message = 'after must be a cursor from a response with the same `orderBy` and `reverse`.';
    for (const [made, used] of [
      [{}, { reverse: true }],
      [{ reverse: true }, {}],
      [{ orderBy: 'NAME_EN' }, {}],
      [{}, { orderBy: 'NAME_AR' }],
      [{ orderBy: 'NAME_EN' }, { orderBy: 'NAME_AR' }],
      [{ orderBy: 'ITEM_COUNT' }, { orderBy: 'NAME_EN' }],
      [{ orderBy: 'ITEM_COUNT', reverse: true }, { orderBy: 'ITEM_COUNT' }],
    ]) {
      const after = await readCursor('productTags', made as object);
      const { errors } = await send('productTags', { ...used, after });
      expect(errors, JSON.stringify([made, used])).toMatchObject([{ message, extensions: { code: 'BAD_USER_INPUT' } }]);
    }
  });

  test.each([
    'tag:ITEM_COUNT:1:x',
    'tag:ITEM_COUNT:1:',
    'tag:ITEM_COUNT:1:-1',
    '--tag:1',
    '-tag:NAME_EN:1:',
    'tag:FOO:1:a',
  ])('rejects the cursor %s', async (text) => {
    const after = Buffer.from(text).toString('base64url');
    for (const orderBy of ['ITEM_COUNT', 'NAME_EN', 'ID']) {
      const { errors } = await send('productTags', { orderBy, after });
      expect(errors).toMatchObject([{ message: 'after must be a cursor from an earlier response.' }]);
    }
  });
});

test('exceptProductTagIds excludes items with any of the tags, combined with every condition', async () => {
  const found = async (variables: object) => formatNames(await read('items', variables)).toSorted();
  const untagged = all.map(({ nameEn }) => nameEn).toSorted();
  expect(await found({ exceptProductTagIds: [] })).toEqual(untagged);
  const without = (...names: string[]) => untagged.filter((name) => !names.includes(name));
  const ofHot = ['Café Latte', '100% Juice', 'Zinger'];
  expect(await found({ exceptProductTagIds: [hot] })).toEqual(without(...ofHot));
  expect(await found({ exceptProductTagIds: [hot, drinks, bare, theirs.id, 0] })).toEqual(
    without(...ofHot, 'LATTE cold'),
  );
  expect(await found({ exceptProductTagIds: [hot], productTagIds: [drinks] })).toEqual(['LATTE cold']);
  expect(await found({ exceptProductTagIds: [hot], search: 'latte', orderBy: 'NAME_AR' })).toEqual(
    ['LATTE cold', 'Large latte'].toSorted(),
  );
  expect(await found({ exceptProductTagIds: [hot], tagged: true, reverse: true })).toEqual(['LATTE cold']);
  const tooMany = await send('items', { exceptProductTagIds: Array.from({ length: 101 }, (_, index) => index) });
  expect(tooMany.errors).toMatchObject([{ message: 'exceptProductTagIds must be a list of at most 100 ids.' }]);
});

describe('entries by ids', () => {
  const [apple, zinger] = findIds('Apple', 'Zinger') as [number, number];
  const cases = {
    itemsByIds: { first: zinger, second: apple, theirs: other.products[0] as number },
    productTagsByIds: { first: hot, second: bare, theirs: theirs.id },
  };

  describe.each(Object.entries(cases))('%s', (field, { first, second, theirs }) => {
    const document = (list: string) => `query ($ids: [Int!]!) { ${list}: ${field}(ids: $ids) { id nameEn } }`;
    const get = async (ids: number[], options: object = own) => {
      const { body } = await app.client.graphql(document('list'), { ids }, options);
      return { ...body, ids: body.data?.list?.map((entry: { id: number } | null) => entry?.id ?? null) };
    };

    test('are in the order of the ids, with duplicates, and null if unknown or of another company', async () => {
      const ids = [first, theirs, second, 0, -1, 2 ** 31 - 1, first];
      // The second and the third run are compiled.
      for (const _ of [1, 2, 3]) {
        const { errors, ids: found } = await get(ids);
        expect(errors).toBeUndefined();
        expect(found).toEqual([first, null, second, null, null, null, first]);
      }
      expect((await get([])).ids).toEqual([]);
    });

    test('are at most 100, or the document is rejected before execution', async () => {
      const ids = [...Array.from({ length: 99 }, (_, index) => -index), first];
      expect((await get(ids)).ids).toEqual([...Array(99).fill(null), first]);
      const { data, errors } = await get([...ids, second]);
      expect(data).toBeUndefined();
      const message = 'ids must be a list of at most 100 ids.';
      expect(errors).toMatchObject([{ message, extensions: { code: 'BAD_USER_INPUT' } }]);
    });

    test('fail independently, with one error', async () => {
      const query = `{ ${field}(ids: [1, 2, 3]) { id } services { id } }`;
      const { data, errors } = (await app.client.graphql(query)).body;
      expect(errors).toMatchObject([{ path: [field], extensions: { code: 'UNAUTHENTICATED' } }]);
      expect(data).toMatchObject({ [field]: null, services: expect.any(Array) });
    });
  });
});

test('hasProductTag filters items with and without tags', async () => {
  const query = `query ($hot: Int!, $theirs: Int!) { items(first: 100) { nodes { nameEn
    isHot: hasProductTag(id: $hot) isTheirs: hasProductTag(id: $theirs) isUnknown: hasProductTag(id: -1) } } }`;
  const { nodes } = (await app.client.graphql(query, { hot, theirs: theirs.id }, own)).body.data.items;
  const isHot = (nameEn: string) => ['Café Latte', '100% Juice', 'Zinger'].includes(nameEn);
  expect(nodes).toEqual(all.map(({ nameEn }) => ({ nameEn, isHot: isHot(nameEn), isTheirs: false, isUnknown: false })));
});
