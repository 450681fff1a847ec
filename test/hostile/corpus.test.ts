import { describe, expect, test } from 'vitest';
import { use } from '../support/app.ts';
import type { RawRequest } from '../support/raw-http.ts';
import { startArena } from './arena.ts';
import {
  codings,
  encode,
  formType,
  get,
  graphql,
  places,
  roots,
  type Surface,
  send,
  strange,
  strangeMembers,
  writings,
} from './requests.ts';

const arena = use(await startArena());
const { known, attacker } = arena;

/** Sends a request with a token; what harmless means is told in the arena. */
const attack = (request: RawRequest) =>
  arena.attack({ ...request, headers: [['Authorization', `Bearer ${attacker.token}`], ...request.headers] });

const ids = [known.otherTag, known.otherProduct, known.modifier].map(String);
const integers = [...strange.integers, ...ids];
const json = [...strange.json, ...strange.texts.map((text) => JSON.stringify(text)), ...integers];
const encoded = [...strange.texts.map(encode), ...integers];

describe.each(Object.keys(places) as Surface[])('%s answers, and no harm is done:', (surface) => {
  test.each(places[surface].json.map((place) => [String(place), place] as const))(
    'each strange JSON, text and integer by %s',
    async (_place, place) => {
      for (const value of json) await attack(place(value));
    },
  );

  test('each strange text and integer in a URL or a form', async () => {
    for (const place of places[surface].encoded) for (const value of encoded) await attack(place(value));
  });

  test('each strange target, method and header', async () => {
    const [good] = surface === 'REST' ? [places.REST.json[3]?.('"Spicy"')] : [graphql('{ __typename }')];
    const request = good as RawRequest;
    for (const target of [...strange.tails.map((tail) => roots[surface] + tail), ...strange.targets]) {
      for (const method of ['GET', 'POST', 'PUT']) await attack({ ...request, method, target });
    }
    for (const method of strange.methods) await attack({ ...request, method });
    for (const header of strange.headers) {
      await attack({ ...request, headers: [header, ...request.headers] });
      await attack({ ...get(`${roots.REST}/countries`), headers: [header] });
    }
  });
});

test('each strange type, writing and encoding of a body is answered, and no harm is done', async () => {
  for (const good of [send('POST', `${roots.REST}/product_tags`, '{"name_en":"Spicy"}'), graphql('{ __typename }')]) {
    const body = good.body as Buffer;
    for (const type of strange.contentTypes) await attack({ ...good, headers: [['Content-Type', type]] });
    for (const write of writings) await attack({ ...good, body: write(body) });
    for (const [name, code] of codings) {
      await attack({ ...good, headers: [...good.headers, ['Content-Encoding', name]], body: code(body) });
    }
    for (const sent of [0, 0.5, 0.99]) for (const chunked of [true, false]) await attack({ ...good, chunked, sent });
  }
});

test('each strange form is answered, and no harm is done', async () => {
  for (const text of strange.forms) {
    await attack(send('POST', `${roots.REST}/product_tags`, text, formType));
    await attack(send('POST', `${roots.REST}/product_tags`, `name_en=Spicy&${text}`, formType));
  }
});

test('each strange document is answered, and no harm is done', async () => {
  for (const query of strange.documents) {
    for (const variables of ['{}', '{"id":null}', '{"id":1}']) await attack(graphql(query, variables));
    if (query.length < 3_000) await attack(get(`/graphql?query=${encode(query)}`));
  }
});

test('REST ignores fields that a tag has not: its company, its id and every prototype stay what they are', async () => {
  for (const member of strangeMembers(known)) {
    const answer = await attack(send('POST', `${roots.REST}/product_tags`, `{"name_en":"Spicy",${member}}`));
    const { id } = JSON.parse(answer?.body ?? '');
    const row = arena.app.db.selectFrom('productTags').select(['companyId', 'nameEn']).where('id', '=', id);
    expect(await row.executeTakeFirst()).toEqual({ companyId: attacker.companyId, nameEn: 'Spicy' });
  }
});

test('GraphQL refuses unknown members of an input, and ignores them beside a query', async () => {
  const create = 'mutation ($input: CreateProductTagInput!) { createProductTag(input: $input) { productTag { id } } }';
  for (const member of strangeMembers(known)) {
    const refused = await attack(graphql(create, `{"input":{"nameEn":"Spicy",${member}}}`));
    expect(JSON.parse(refused?.body ?? '')).toMatchObject({ errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] });
    const ignored = await attack(send('POST', '/graphql', `{"query":"{ __typename }",${member}}`));
    expect(JSON.parse(ignored?.body ?? '')).toEqual({ data: { __typename: 'Query' } });
  }
});
