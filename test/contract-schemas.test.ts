import { describe, expect, test } from 'vitest';
import { openApiChanges } from '../contract/rest/changes.ts';
import { type Change, described } from './support/contract.ts';

const wide = { type: ['string', 'null'], minLength: 3 };
const apart = { anyOf: [{ type: 'string', minLength: 3 }, { type: 'null' }] };

/** Sets a property of what clients send, or of what they get. */
const sent =
  (schema: object): Change =>
  ({ components }) =>
    Object.assign(components.schemas.ProductTagFields.properties, { item_ids: schema });
const got =
  (schema: object): Change =>
  ({ components }) =>
    Object.assign(components.schemas.ProductTag.properties, { item_ids: schema });

test.each<[string, Change, ...told: string[]]>([
  [
    'a field is gone',
    ({ components }) => delete components.schemas.Country.properties.name_ar,
    'Country.name_ar is gone',
  ],
  [
    'a field is new where there was to be nothing else',
    ({ components }) => Object.assign(components.schemas.Country.properties, { flag: { type: 'string' } }),
    'Country.flag is new, where there was to be nothing else',
  ],
  [
    'a field may be null',
    ({ components }) => Object.assign(components.schemas.ProductTag.properties.name_en, { type: ['string', 'null'] }),
    'ProductTag.name_en may now have the types null',
  ],
  [
    'a field may be absent',
    ({ components }) => components.schemas.City.required.pop(),
    'City.country may now be absent',
  ],
  [
    'an answer has a value that it had not',
    ({ components }) => components.schemas.Problem.properties.code.enum.push('sold_out'),
    'Problem.code may now have the values sold_out',
  ],
  [
    'an answer is longer',
    ({ components }) => Object.assign(components.schemas.ProductTag.properties.name_en, { maxLength: 60 }),
    'ProductTag.name_en: maxLength was 50, and is 60',
  ],
  [
    'a number is greater',
    ({ components }) => Object.assign(components.schemas.ProductTag.properties.id, { format: 'int64' }),
    'ProductTag.id: format was "int32", and is "int64"',
  ],
  [
    'an answer is of another schema',
    ({ paths }) => {
      const { content } = paths['/cities'].get.responses[200];
      content['application/json'].schema.properties.cities.items.$ref = '#/components/schemas/Timezone';
    },
    'GET /cities (200).cities[].name_en is gone',
    'GET /cities (200).cities[].name_ar is gone',
    'GET /cities (200).cities[].country_id is gone',
    'GET /cities (200).cities[].country is gone',
    'GET /cities (200).cities[].utc_offset is new, where there was to be nothing else',
  ],
  [
    'a field has to be sent',
    ({ components }) => components.schemas.ProductTagFields.required.push('item_ids'),
    'ProductTagFields.item_ids is now required',
  ],
  [
    'a field has to be sent, as said in another way',
    ({ components }) => Object.assign(components.schemas.ProductTagFields, { allOf: [{ required: ['item_ids'] }] }),
    'ProductTagFields is put together in another way',
  ],
  [
    'other fields are refused',
    ({ components }) => Object.assign(components.schemas.ProductTagFields, { additionalProperties: false }),
    'ProductTagFields takes no other properties',
  ],
  [
    'null is not taken',
    ({ components }) => components.schemas.ProductTagFields.properties.name_ar.anyOf.pop(),
    'ProductTagFields.name_ar no longer takes {"type":"null"}',
  ],
  [
    'a wrapped body is not taken',
    ({ paths }) => paths['/product_tags'].post.requestBody.content['application/json'].schema.anyOf.pop(),
    'POST /product_tags: the body (application/json) no longer takes #/components/schemas/WrappedProductTagFields',
  ],
  [
    'a parameter takes less',
    ({ paths }) => paths['/lookups'].get.parameters[0].schema.anyOf.shift(),
    'GET /lookups: brand_types no longer takes {"type":"integer","const":-1}',
  ],
  [
    'there is a pattern',
    ({ components }) => Object.assign(components.schemas.ProductTagFields.properties.name_en, { pattern: '^x' }),
    'ProductTagFields.name_en: pattern was none, and is "^x"',
  ],
  [
    'there is another default',
    ({ paths }) => Object.assign(paths['/cities'].get.parameters[0].schema, { default: 1 }),
    'GET /cities: country_id: default was none, and is 1, which nobody can judge',
  ],
])('breaks where %s', (_name, change, ...told) => {
  expect(openApiChanges(described(), described(change))).toEqual(told.map((each) => `REST: ${each}`));
});

const sends = 'REST: ProductTagFields.item_ids';
const gets = 'REST: ProductTag.item_ids';

test.each<[string, object, object, asked: string[], answered: string[]]>([
  ['null, said in either way', wide, apart, [], []],
  ['null, said in the other', apart, wide, [], []],
  ['null too', { type: 'string' }, apart, [`${sends} no longer takes`], [`${gets} may now be {"type":"null"}`]],
  ['a number', { type: 'integer' }, { type: 'number' }, [], [`${gets} may now have the types number`]],
  ['a constant', { type: 'string', enum: ['a', 'b'] }, { const: 'a' }, [`${sends} no longer takes the values b`], []],
  ['multiples of more', { multipleOf: 4 }, { multipleOf: 2 }, [], [`${gets}: multipleOf was 4, and is 2`]],
  [
    'members with a schema',
    { additionalProperties: { type: 'integer' } },
    {},
    [],
    [`${gets}.* is no longer only integer`],
  ],
  [
    'a member that had the schema of any other',
    { additionalProperties: { type: 'integer' } },
    { additionalProperties: { type: 'integer' }, properties: { a: { type: 'string' } } },
    [`${sends}.a no longer takes the types integer`],
    [`${gets}.a may now have the types string`],
  ],
  [
    'another reference beside a keyword',
    { $ref: '#/components/headers/Content-Language/schema', minLength: 1 },
    { $ref: '#/components/headers/Vary/schema', minLength: 1 },
    [],
    [`${gets} is no longer only en, ar`],
  ],
  ['alone in allOf', { type: 'integer' }, { allOf: [{ type: 'integer' }] }, [], []],
  [
    'one of two that fit',
    { anyOf: [{ minLength: 1 }] },
    { oneOf: [{ minLength: 1 }, {}] },
    [`${sends} may now be refused as two`],
    [`${gets} may now be {}`],
  ],
])('%s', (_name, before, after, asked, answered) => {
  const between = (set: typeof sent) => openApiChanges(described(set(before)), described(set(after)));
  expect(between(sent)).toEqual(asked.map((each) => expect.stringContaining(each)));
  expect(between(got)).toEqual(answered.map((each) => expect.stringContaining(each)));
});

describe('a schema within itself', () => {
  const tree =
    (name: string, leaf: object): Change =>
    (document) => {
      got({ $ref: `#/components/schemas/${name}` })(document);
      document.components.schemas[name] = {
        type: 'object',
        properties: { leaf, children: { type: 'array', items: { $ref: `#/components/schemas/${name}` } } },
        anyOf: [{ required: ['leaf'] }, { required: ['children'] }],
      };
    };
  const integer = { type: 'integer' };

  test('is the same by any name', () => {
    expect(openApiChanges(described(tree('Tree', integer)), described(tree('Plant', integer)))).toEqual([]);
  });

  test.each([
    ['Tree', 'REST: Tree.leaf may now have the types string'],
    ['Plant', 'REST: ProductTag.item_ids.leaf may now have the types string'],
  ])('breaks as %s', (name, told) => {
    const after = described(tree(name, { type: 'string' }));
    expect(openApiChanges(described(tree('Tree', integer)), after)).toEqual([told]);
  });
});
