import { type GraphQLArgument, type GraphQLObjectType, getNamedType } from 'graphql';
import { expect, test } from 'vitest';
import { issueToken } from '../../src/domain/partner/tokens/issue-token.ts';
import { type Field, isReference, mutations, queries } from '../support/schema.ts';
import { sharedApp } from '../support/test-app.ts';

const app = await sharedApp();
const tenant = await app.createTenant({ products: 2 });
const {
  products: [product = 0],
  modifier,
} = tenant;
const readOnly = (await issueToken(app.db, tenant.partnerName, { days: null, access: 'read_only' })).token;
const [unknownId, tooMany] = [2_000_000_000, Array.from({ length: 10_001 }, (_, index) => index + 1)];
const nameEn = 'Spicy';

const create = `mutation ($input: CreateProductTagInput!, $key: String) {
  createProductTag(input: $input, idempotencyKey: $key) { productTag { id } userErrors { code } } }`;
const update = `mutation ($id: Int!, $input: UpdateProductTagInput!, $ifMatch: String) {
  updateProductTag(id: $id, input: $input, ifMatch: $ifMatch) { userErrors { code } } }`;
const changeItems = (name: string) => `mutation ($id: Int!, $itemIds: [Int!]!, $ifMatch: String) {
  ${name}(id: $id, itemIds: $itemIds, ifMatch: $ifMatch) { userErrors { code } } }`;
const remove = `mutation ($id: Int!, $ifMatch: String) {
  deleteProductTag(id: $id, ifMatch: $ifMatch) { userErrors { code } } }`;

async function send(document: string, variables: object = {}, token: string | undefined = tenant.token) {
  return (await app.client.graphql(document, variables, { token: token || undefined })).body;
}

const { id } = (await send(create, { input: { nameEn, itemIds: [product] } })).data.createProductTag.productTag;
const inputs = [
  { nameEn: 'x' },
  { nameEn: 'Sp\u0007icy' },
  { nameEn, itemIds: null },
  { nameEn, itemIds: tooMany },
  { nameEn, itemIds: [unknownId, modifier] },
];

type Rejected = Record<string, [document: string, variables?: object, token?: string][]>;

/** Without a token, unless the query is of reference data, and with an invalid page, of its own or of a list inside. */
function createRejected(field: Field): Rejected[string] {
  const { name, args, type } = field;
  const call = (more: string) => {
    const ids = args.flatMap((arg) => (arg.name === 'id' ? ['id: 1'] : arg.name === 'ids' ? ['ids: [1]'] : []));
    const given = [...ids, more].filter(Boolean).join(', ');
    return given === '' ? name : `${name}(${given})`;
  };
  const isPaged = (field: { args: readonly GraphQLArgument[] }) => field.args.some((arg) => arg.name === 'first');
  const list = Object.values((getNamedType(type) as GraphQLObjectType).getFields()).find(isPaged);
  const requests: Rejected[string] = isReference(field) ? [] : [[`{ ${call('')} { __typename } }`, {}, '']];
  if (isPaged({ args })) requests.push([`{ ${call('first: 0')} { __typename } }`]);
  if (list) requests.push([`{ ${call('')} { ${list.name}(first: 0) { __typename } } }`]);
  return requests;
}

/** Requests to each operation that are rejected; an empty token means none. */
const rejected: Rejected = {
  ...Object.fromEntries(queries.map((query) => [query.name, createRejected(query)])),
  lookups: [['{ lookups(key: BRAND_TYPES, page: 0) { name } }']],
  createProductTag: [
    ...inputs.map((input) => [create, { input }] as [string, object]),
    [create, { input: { nameEn }, key: '' }],
    [create, { input: { nameEn }, key: 'used' }],
    [create, { input: { nameEn: 'Very spicy' }, key: 'used' }],
    [create, { input: { nameEn } }, ''],
  ],
  updateProductTag: [
    ...inputs.map((input) => [update, { id, input }] as [string, object]),
    [update, { id, input: { nameEn: null } }],
    [update, { id, input: { nameEn }, ifMatch: 'another' }],
    [update, { id: unknownId, input: { nameEn } }],
    [update, { id, input: { nameEn } }, ''],
  ],
  deleteProductTag: [
    [remove, { id: unknownId }],
    [remove, { id, ifMatch: 'another' }],
    [remove, { id }, ''],
  ],
  ...Object.fromEntries(
    ['addProductTagItems', 'removeProductTagItems'].map((name) => [
      name,
      [
        ...[tooMany, [unknownId, modifier]].map((itemIds) => [changeItems(name), { id, itemIds }]),
        [changeItems(name), { id, itemIds: [product], ifMatch: 'another' }],
        [changeItems(name), { id: unknownId, itemIds: [product] }],
        [changeItems(name), { id, itemIds: [product] }, ''],
      ] as [string, object, string?][],
    ]),
  ),
};

/** The codes of the errors of a response. */
function codesIn({ data, errors = [] }: Awaited<ReturnType<typeof send>>): string[] {
  const payloads = Object.values<{ userErrors?: { code: string }[] } | null>(data ?? {});
  const userErrors = payloads.flatMap((payload) => payload?.userErrors ?? []);
  return [...userErrors.map(({ code }) => code), ...errors.map(({ extensions }) => extensions.code)];
}

const pages = ['schema', 'schema-mutations'].map((name) => app.client.fetch<string>('GET', `/guides/${name}`));
const html = (await Promise.all(pages)).map(({ body }) => body).join('');
const sections = html.split(/<h3 id="/).flatMap((part) => {
  const [, list] = /<strong>Errors:<\/strong> (.*)<\/p>/.exec(part) ?? [];
  const codes = [...(list ?? '').matchAll(/<code>([A-Z_]+)<\/code>/g)].map(([, code]) => code);
  return list === undefined ? [] : [[part.slice(0, part.indexOf('"')), codes] as const];
});

test('the schema page has the errors of every operation', () => {
  const operations = [...queries, ...mutations].map(({ name }) => name).toSorted();
  expect(sections.map(([name]) => name).toSorted()).toEqual(operations);
  const tried = Object.keys(rejected).toSorted();
  expect(tried, 'Add requests that a new mutation rejects to `rejected`').toEqual(operations);
});

test.each(sections)('%s returns exactly the errors of the schema page', async (name, listed) => {
  // test/product-tags/concurrent-creates.pgbouncer.slow.test.ts has the error of a request that is still in progress.
  const returned = new Set(name === 'createProductTag' ? ['IDEMPOTENCY_KEY_IN_USE'] : []);
  const requests = [...(rejected[name] ?? [])];
  const [document = '', variables = {}] = requests.at(-1) ?? [];
  if (document.startsWith('mutation')) requests.push([document, variables, readOnly]);
  for (const request of requests) for (const code of codesIn(await send(...request))) returned.add(code);
  expect([...returned].toSorted()).toEqual(listed.toSorted());
});
