import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { use } from '../support/app.ts';
import { startArena } from '../support/hostile/arena.ts';
import {
  type Header,
  strangeDocuments,
  strangeHeaders,
  strangeIntegers,
  strangeJson,
  strangeMembers,
  strangeMethods,
  strangeTails,
  strangeTexts,
} from '../support/hostile/corpus.ts';
import { graphqlRequests } from '../support/hostile/graphql.ts';
import { content, formType, jsonType } from '../support/hostile/http.ts';
import { objectText } from '../support/hostile/values.ts';

const create = `mutation M($input: CreateProductTagInput!) {
  createProductTag(input: $input) { productTag { id } userErrors { code } } }`;

const arena = use(await startArena());

/** A request with a token that is as it should be, but for what is said of it. */
async function send(
  body: string | undefined,
  method = 'POST',
  target = '/graphql',
  headers: Header[] = [],
  type = jsonType,
) {
  const { headers: contentHeaders, ...rest } = body === undefined ? { headers: [] } : content(type, body);
  const authorization: Header = ['Authorization', `Bearer ${arena.attacker.token}`];
  return arena.attack({ method, target, headers: [authorization, ...headers, ...contentHeaders], ...rest });
}

const request = (query: string, variables = '{}') => `{"query":${JSON.stringify(query)},"variables":${variables}}`;

// What harmless means is told in the arena: no 5xx, always GraphQL's format, nothing of the inside and of another company in
// it, and no row changed but by a mutation that was answered without errors.
describe('is answered, and harmless:', () => {
  test('each strange document', async () => {
    for (const query of strangeDocuments) {
      for (const variables of ['{}', '{"id":null}', '{"id":1}']) await send(request(query, variables));
      if (query.length < 3_000) await send(undefined, 'GET', `/graphql?query=${encodeURIComponent(query)}`);
    }
  });

  test('each strange text as each name, document and name of an operation', async () => {
    for (const text of strangeTexts.map((text) => JSON.stringify(text))) {
      await send(request(create, `{"input":{"nameEn":${text}}}`));
      await send(request(create, `{"input":{"nameEn":"Spicy","nameAr":${text}}}`));
      await send(`{"query":${text}}`);
      await send(`{"query":"{ __typename }","operationName":${text}}`);
    }
  });

  test('each strange JSON as each part of a request', async () => {
    for (const text of strangeJson) {
      await send(text);
      for (const part of ['query', 'variables', 'operationName', 'extensions']) {
        await send(`{"query":"{ __typename }","${part}":${text}}`);
      }
      await send(`{"query":"{ __typename }","extensions":{"persistedQuery":${text}}}`);
      await send(request(create, `{"input":${text}}`));
      for (const field of ['nameEn', 'nameAr', 'itemIds']) {
        await send(request(create, `{"input":{"nameEn":"Spicy","${field}":${text}}}`));
      }
    }
  });

  test('each strange integer as a tag, an item, a country and a page', async () => {
    const { known } = arena;
    for (const text of [...strangeIntegers, known.otherTag, known.otherProduct, known.modifier]) {
      await send(request(create, `{"input":{"nameEn":"Spicy","itemIds":[${text}]}}`));
      await send(request(`mutation { deleteProductTag(id: ${text}) { deletedProductTagId userErrors { code } } }`));
      await send(
        request('query ($id: Int!) { viewer { item(id: $id) { id nameEn tags { nameEn } } } }', `{"id":${text}}`),
      );
      await send(request(`{ cities(countryId: ${text}) { id } lookups { brandTypes(page: ${text}) { name } } }`));
    }
  });

  test('each strange target, method and header', async () => {
    const good = request('{ __typename }');
    for (const tail of strangeTails) {
      for (const method of ['GET', 'POST']) await send(good, method, `/graphql${tail}`);
    }
    for (const method of strangeMethods) await send(good, method);
    for (const header of strangeHeaders)
      await send(request(create, '{"input":{"nameEn":"Spicy"}}'), 'POST', '/graphql', [header]);
  });

  test('150 requests at random', async () => {
    const requests = graphqlRequests(arena.known, arena.attacker.token);
    await fc.assert(
      fc.asyncProperty(requests, async (request) => {
        await arena.attack(request);
      }),
      { numRuns: 150 },
    );
  });
});

test('members that nothing has are refused in an input, and ignored beside a query', async () => {
  const { known } = arena;
  for (const member of strangeMembers(known.otherCompany, known.otherTag)) {
    const refused = await send(request(create, `{"input":${objectText([['nameEn', '"Spicy"'], member])}}`));
    expect(JSON.parse(refused?.body ?? '')).toMatchObject({ errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] });
    const ignored = await send(objectText([['query', '"{ __typename }"'], member]));
    expect(JSON.parse(ignored?.body ?? '')).toEqual({ data: { __typename: 'Query' } });
  }
});

// As tools that look for weak GraphQL servers try them.
describe('a known attack is refused:', () => {
  const times = (count: number, text: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => text(index)).join(' ');
  const query = (text: string) => `/graphql?query=${encodeURIComponent(text)}`;
  const mutation = 'mutation { createProductTag(input: { nameEn: "Spicy" }) { productTag { id } } }';
  const typename = request('{ __typename }');

  test.each<[string, number, string, Parameters<typeof send>]>([
    ['batches', 400, 'BAD_REQUEST', [`[${typename},${typename}]`]],
    ['aliases', 200, 'QUERY_TOO_COMPLEX', [request(`{ ${times(101, (index) => `a${index}: __typename`)} }`)]],
    ['a field again and again', 200, 'QUERY_TOO_COMPLEX', [request(`{ ${times(500, () => '__typename')} }`)]],
    ['a field thousands of times', 200, 'QUERY_TOO_COMPLEX', [request(`{ ${times(5_000, () => '__typename')} }`)]],
    [
      'directives that there are not',
      200,
      'GRAPHQL_VALIDATION_FAILED',
      [request(`{ __typename ${times(10, () => '@aa')} }`)],
    ],
    [
      'fragments in a circle',
      200,
      'QUERY_TOO_COMPLEX',
      [request('{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }')],
    ],
    [
      'introspection in a circle',
      200,
      'GRAPHQL_VALIDATION_FAILED',
      [request('{ __schema { types { fields { type { fields { type { fields { name } } } } } } } }')],
    ],
    ['a mutation by GET', 405, 'BAD_REQUEST', [undefined, 'GET', query(mutation)]],
    [
      'a mutation by a form of another site',
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      [`query=${encodeURIComponent(mutation)}`, 'POST', '/graphql', [], formType],
    ],
    [
      'a mutation as text of another site',
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      [request(mutation), 'POST', '/graphql', [], 'text/plain'],
    ],
    ['a mutation in the URL of a POST', 400, 'BAD_REQUEST', ['{}', 'POST', query(mutation)]],
    ['guessing fields by suggestions', 200, 'GRAPHQL_VALIDATION_FAILED', [request('{ countrie { id } }')]],
    ['SQL', 200, 'BAD_USER_INPUT', [request('{ viewer { items(after: "1 or 1=1") { nodes { id } } } }')]],
  ])('%s', async (_name, status, code, parts) => {
    const answer = await send(...parts);
    expect(answer?.status).toBe(status);
    const { errors, data } = JSON.parse(answer?.body ?? '');
    expect(errors[0].extensions.code).toBe(code);
    expect(errors.length).toBeLessThanOrEqual(6);
    expect(data ?? null).toBeNull();
    expect(answer?.body).not.toMatch(/did you mean/i);
    expect(arena.app.statements.filter((text) => !text.startsWith('select'))).toEqual([]);
  });
});
