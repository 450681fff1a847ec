import fc from 'fast-check';
import type { RawRequest } from '../raw-http.ts';
import { strangeDocuments, strangeMethods, strangeTails } from './corpus.ts';
import { type Content, contents, jsonType, type Routed, requests } from './http.ts';
import { integers, itemLists, type KnownIds, mostly, objects, orAnyJson, texts } from './values.ts';

/** Requests to the GraphQL surface, from good ones to none at all. */
export function graphqlRequests(known: KnownIds, token: string): fc.Arbitrary<RawRequest> {
  const content = contents(bodies(known), jsonType);
  const posted: fc.Arbitrary<Routed> = fc.record({
    method: fc.constant('POST'),
    target: fc.constant('/graphql'),
    content,
  });
  const got: fc.Arbitrary<Routed> = fc.record({
    method: fc.constant('GET'),
    target: fc.tuple(documents, variables(known)).map(([query, variables]) => {
      const parameters = new URLSearchParams({ query: query.slice(0, 3_000), variables: variables.slice(0, 3_000) });
      return `/graphql?${parameters}`;
    }),
    content: fc.constant<Content>({ headers: [] }),
  });
  const strange: fc.Arbitrary<Routed> = fc.record({
    method: fc.constantFrom('GET', 'POST', 'PUT', ...strangeMethods),
    target: fc.constantFrom(...strangeTails).map((tail) => `/graphql${tail}`),
    content,
  });
  return requests(
    fc.oneof({ arbitrary: posted, weight: 14 }, { arbitrary: got, weight: 2 }, { arbitrary: strange, weight: 1 }),
    token,
  );
}

function bodies(known: KnownIds): fc.Arbitrary<string> {
  const request = objects(known, {
    query: documents.map((text) => JSON.stringify(text)),
    variables: orAnyJson(variables(known)),
    operationName: mostly(fc.constant('null'), fc.constantFrom('"M"', '"__proto__"', '""', '1')),
    extensions: mostly(fc.constant('{}'), fc.constant('{"persistedQuery":{"version":1,"sha256Hash":"x"}}')),
  });
  return orAnyJson(
    mostly(
      request,
      request.map((text) => `[${text},${text}]`),
    ),
  );
}

function variables(known: KnownIds): fc.Arbitrary<string> {
  const names = texts.map((text) => JSON.stringify(text));
  return objects(known, {
    input: objects(known, { nameEn: names, nameAr: fc.oneof(names, fc.constant('null')), itemIds: itemLists(known) }),
    id: integers(known),
    number: mostly(fc.constant('1'), integers(known)),
    text: names,
    locale: mostly(fc.constantFrom('"EN"', '"AR"'), fc.constant('"fr"')),
    type: mostly(fc.constantFrom('"PRODUCT"', 'null'), fc.constant('"__proto__"')),
  });
}

const outcome =
  '{ productTag { id nameEn nameAr name itemIds items { nodes { id } } } userErrors { code field message itemIds } }';
const mutations = [
  `mutation M($input: CreateProductTagInput!) { createProductTag(input: $input) ${outcome} }`,
  `mutation M($id: Int!, $input: UpdateProductTagInput!) { updateProductTag(id: $id, input: $input) ${outcome} }`,
  `mutation M($input: CreateProductTagInput!, $id: Int = 1) { a: createProductTag(input: $input) ${outcome}
    b: deleteProductTag(id: $id) { deletedProductTagId userErrors { code message } } }`,
  'mutation M($id: Int!) { deleteProductTag(id: $id) { deletedProductTagId userErrors { code field message } } }',
];
const queries = [
  'query M($id: Int!) { viewer { item(id: $id) { id nameEn tags { id nameEn items { nodes { id } } } } } }',
  `query M($number: Int!, $text: String, $type: ItemType) {
    viewer { items(first: $number, after: $text, itemType: $type) { nodes { id } } } }`,
  'query M($id: Int, $locale: Locale) { cities(countryId: $id) { id name(locale: $locale) } }',
  'query M($number: Int!) { lookups { brandTypes(page: $number) { key value name } weekDays { name } } }',
  '{ viewer { partner { id name } company { id name branches { id address { line city { name } } } } } }',
];

const good = fc.oneof(
  { arbitrary: fc.constantFrom(...mutations), weight: 2 },
  { arbitrary: fc.constantFrom(...queries), weight: 1 },
);

/** Documents: good ones, good ones with their tokens mixed up, and attacks. */
const documents = fc.oneof(
  { arbitrary: good, weight: 6 },
  { arbitrary: good.chain(mixTokens), weight: 3 },
  { arbitrary: fc.constantFrom(...strangeDocuments), weight: 2 },
  { arbitrary: texts, weight: 1 },
);

const strangeTokens = [
  '{',
  '}',
  '(',
  ')',
  '[',
  ']',
  '!',
  ':',
  '...',
  '@include(if: $id)',
  '$id',
  'null',
  '1',
  '"x"',
  'on',
  '__typename',
];

function mixTokens(document: string): fc.Arbitrary<string> {
  const tokens = document.match(/[\w$]+|[^\s\w]/g) ?? [];
  const edit = fc.record({
    at: fc.nat(tokens.length),
    removed: fc.nat(2),
    added: fc.subarray(strangeTokens, { maxLength: 1 }),
  });
  return fc.array(edit, { minLength: 1, maxLength: 3 }).map((edits) => {
    const edited = [...tokens];
    for (const { at, removed, added } of edits) edited.splice(at, removed, ...added);
    return edited.join(' ');
  });
}
