import { describe, expect, test } from 'vitest';
import type { Options } from '../support/client.ts';
import { surfaces } from '../support/product-tag.ts';
import { sharedApp, startApp, type TestApp, use } from '../support/test-app.ts';

const entities = `query ($representations: [_Any!]!) {
  _entities(representations: $representations) {
    __typename
    ... on Country { id name }
    ... on City { id name countryId country { shortCode } }
    ... on Service { id code name }
    ... on Item { id name itemType tags { nodes { id name } } }
    ... on ProductTag { id tagName: name items { nodes { id } } }
  }
}`;

const app = use(await startApp({ FEDERATION: 'on' }));
const tenant = await app.createTenant();
const other = await app.createTenant();
const fields = { name_en: 'Spicy', name_ar: 'حار جدا' };
const tagId = (await surfaces.REST.create(app.client, { ...fields, item_ids: tenant.products }, tenant)).id;
const othersTagId = (await surfaces.REST.create(app.client, { ...fields, item_ids: other.products }, other)).id;

const ask = (representations: unknown, options: Options = { token: tenant.token }, query = entities) =>
  app.client.graphql(query, { representations }, options);

const refer = (__typename: string, ...ids: unknown[]) => ids.map((id) => ({ __typename, id }));

const sdlOf = async ({ client }: TestApp) => (await client.graphql('{ _service { sdl } }')).body.data._service.sdl;

test('by default there is no federation schema', async () => {
  const { client } = await sharedApp();
  for (const field of ['_service { sdl }', '_entities(representations: []) { __typename }']) {
    const { body } = await client.graphql(`{ ${field} }`);
    expect(body).toMatchObject({ errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] });
  }
  const { body } = await client.graphql('{ __schema { types { name } directives { name } } }');
  expect(JSON.stringify(body)).not.toMatch(/"name":"(_[^_]|key|link|federation)/);
});

describe('the subgraph', () => {
  test('has keys on the documented types only', async () => {
    const keyed = [...(await sdlOf(app)).matchAll(/^type (\w+) @key\(fields: "id"\) \{$/gm)].map(([, name]) => name);
    expect(keyed.toSorted()).toEqual(['City', 'Country', 'Item', 'ProductTag', 'Service']);
  });

  test('returns its schema by `_service` only, even with INTROSPECTION=off', async () => {
    await using closed = await startApp({ FEDERATION: 'on', INTROSPECTION: 'off' });
    expect(await sdlOf(closed)).toBe(await sdlOf(app));
    const { body } = await closed.client.graphql('{ __schema { types { name } } __type(name: "Item") { name } }');
    expect(body.data).toBeUndefined();
    expect(body.errors?.[0]?.extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
    expect((await closed.client.fetch('GET', '/schema.graphql')).status).toBe(404);
  });
});

describe('entities', () => {
  test.each([
    ['en', 'Saudi Arabia', 'product 0', 'Spicy', 'Dine In'],
    ['ar', 'المملكة العربية السعودية', 'صنف 0', 'حار جدا', expect.any(String)],
  ])('of every type are in the requested order, in %s, each time', async (language, country, item, tag, service) => {
    const city = await app.db.selectFrom('cities').selectAll().where('code', '=', 'saruh').executeTakeFirstOrThrow();
    const [id = 0] = tenant.products;
    const name = language === 'en' ? city.nameEn : city.nameAr;
    const items = { nodes: tenant.products.map((product) => ({ id: product })) };
    const tags = { nodes: [{ id: tagId, name: tag }] };
    const asItem = { __typename: 'Item', id, name: item, itemType: 'PRODUCT', tags };
    const expected = [
      asItem,
      { __typename: 'Country', id: 682, name: country },
      { __typename: 'ProductTag', id: tagId, tagName: tag, items },
      { __typename: 'City', id: city.id, name, countryId: 682, country: { shortCode: 'SA' } },
      { __typename: 'Service', id: 1, code: 'dine_in', name: service },
      asItem,
    ];
    const representations = expected.map((entity) => ({ __typename: entity.__typename, id: entity.id }));
    // The first is interpreted, the second compiled.
    for (const _time of [1, 2, 3]) {
      const { status, body } = await ask(representations, { token: tenant.token, language });
      expect({ status, body }).toEqual({ status: 200, body: { data: { _entities: expected } } });
    }
  });

  // graphql-jit, which compiles documents, would leave such a variable out.
  test.each([
    '[{ __typename: "Item", id: $id }, { __typename: "Country", id: 682 }]',
    '{ __typename: "Item", id: $id }',
  ])('are found by variables within %s, each time', async (representations) => {
    const query = `query ($id: Int!) { _entities(representations: ${representations}) { ... on Item { id } } }`;
    for (const id of tenant.products.slice(0, 3)) {
      const { body } = await app.client.graphql(query, { id }, tenant);
      expect(body.data?._entities[0]).toEqual({ id });
    }
  });

  test('of another company, and those that do not exist, are null', async () => {
    const unknown = [
      ...[...refer('Item', other.products[0], 2 ** 31 - 1, 0, -1), ...refer('ProductTag', othersTagId, -(2 ** 31))],
      ...['Country', 'City', 'Service'].flatMap((name) => refer(name, 999_999)),
    ];
    // Entities of a partner are never sent to others.
    await ask(refer('ProductTag', othersTagId), { token: other.token });
    expect((await ask(refer('ProductTag', othersTagId))).body).toEqual({ data: { _entities: [null] } });
    const { status, body } = await ask([...unknown, ...refer('Country', 682)]);
    expect({ status, errors: body.errors }).toEqual({ status: 200, errors: undefined });
    expect(body.data._entities).toEqual([...unknown.map(() => null), expect.objectContaining({ id: 682 })]);
  });

  test.each(['Item', 'ProductTag'])('of type %s need a token', async (name) => {
    for (const token of [undefined, 'pp_none']) {
      const { status, headers, body } = await ask([...refer('Country', 682), ...refer(name, 1, 2, 3)], { token });
      expect(status).toBe(401);
      expect(headers.get('www-authenticate')).toBeTruthy();
      expect(body).toMatchObject({ data: null, errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
      expect(body.errors).toHaveLength(1);
    }
  });

  test('of reference data need one with REFERENCE_ACCESS=partner alone', async () => {
    await using closed = await startApp({ FEDERATION: 'on', REFERENCE_ACCESS: 'partner' });
    const { token } = await closed.createTenant();
    for (const name of ['Country', 'City', 'Service']) {
      const representations = refer(name, name === 'Country' ? 682 : 1);
      const open = await ask(representations, {});
      expect((await closed.client.graphql(entities, { representations })).status).toBe(401);
      const { body } = await closed.client.graphql(entities, { representations }, { token });
      for (const { data } of [open.body, body]) expect(data._entities[0].__typename).toBe(name);
    }
  });

  test('take the same statements for one and for fifty, and none for rows of reference data', async () => {
    const { token, products } = await app.createTenant({ products: 50 });
    const creations = products.map((id) =>
      surfaces.GraphQL.create(app.client, { name_en: 'Spicy', item_ids: [id] }, { token }),
    );
    const tags = (await Promise.all(creations)).map(({ id }) => id);
    const statementsFor = async (all: ReturnType<typeof refer>) => {
      app.statements.splice(0);
      const { body } = await ask(all, { token });
      expect(body.data._entities.filter(Boolean)).toHaveLength(all.length);
      return app.statements.splice(0).toSorted();
    };
    for (const all of [refer('Item', ...products), refer('ProductTag', ...tags)]) {
      const forOne = await statementsFor(all.slice(0, 1));
      // The token, the entities, and their nested fields.
      expect(forOne).toHaveLength(3);
      expect(await statementsFor(all)).toEqual(forOne);
    }
    const ofReferenceData = [...refer('Country', 682, 400), ...refer('City', 1, 2), ...refer('Service', 1)];
    // The token.
    expect(await statementsFor(ofReferenceData)).toHaveLength(1);
  });
});

test.each([
  ['an unknown type', { __typename: 'Nothing', id: 1 }],
  ['a word that JavaScript knows', { __typename: 'constructor', id: 1 }],
  ['no type', { id: 1 }],
  ['a key of text', { __typename: 'Item', id: '1' }],
  ['a key of more than 32 bits', { __typename: 'Item', id: 2 ** 31 }],
  ['a key of more than 32 bits, of reference data', { __typename: 'Country', id: -(2 ** 31) - 1 }],
  ['a list', ['Item', 1]],
])('an invalid representation is rejected by its index: %s', async (_which, representation) => {
  app.logLines.splice(0);
  for (const language of ['en', 'ar']) {
    const options = { token: tenant.token, language };
    const { status, body } = await ask([...refer('Country', 682), representation, representation], options);
    expect({ status, data: body.data }).toEqual({ status: 200, data: null });
    expect(body.errors).toHaveLength(1);
    expect(body.errors?.[0]).toMatchObject({ path: ['_entities'], extensions: { code: 'BAD_USER_INPUT' } });
    expect(body.errors?.[0]?.message).toContain('representations[1]');
  }
  expect(app.logLines.filter(({ level }) => Number(level) > 40)).toEqual([]);
});
