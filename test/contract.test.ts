import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { complaintsAbout } from '../contract/change.ts';
import { graphqlChanges } from '../contract/graphql-changes.ts';
import { type OpenApi, openApiChanges } from '../contract/rest/changes.ts';
import { Process } from './support/process.ts';

const root = new URL('..', import.meta.url).pathname;
const schema = await readFile(join(root, 'schema.graphql'), 'utf8');
const document = await readFile(join(root, 'openapi.json'), 'utf8');

describe('GraphQL', () => {
  test.each<[string, string, string]>([
    ['dialCode: String!', 'callingCode: String!', 'EmbeddedCountry.dialCode was removed.'],
    ['utcOffset: String!', 'utcOffset: Int!', 'Timezone.utcOffset changed type from String! to Int!.'],
    ['nameAr: String\n', 'nameAr: String!\n', 'changed type from String to String!'],
    ['page: Int! = 1', 'page: Int! = 2', 'Lookups.applications arg page has changed defaultValue from 1 to 2.'],
    [
      'input: CreateProductTagInput!',
      'input: CreateProductTagInput!, shop: Int!',
      'A required arg shop on Mutation.createProductTag was added.',
    ],
    ['enum ItemType {', 'enum ItemType {\n  COMBO', 'COMBO was added to enum type ItemType.'],
  ])('%j as %j breaks', (before, after, told) => {
    expect(schema).toContain(before);
    const changes = graphqlChanges(schema, schema.replace(before, after));
    expect(changes).toContainEqual(expect.stringContaining(told));
  });

  test('what is added, or told in other words, does not', () => {
    const added = schema
      .replace('dialCode: String!', 'dialCode: String!\n  flag: String')
      .replace('input: CreateProductTagInput!', 'input: CreateProductTagInput!, note: String')
      .replace('"""A POS company."""', '"""Whoever sells."""');
    expect(graphqlChanges(schema, `${added}\ntype Meal { id: Int! }`)).toEqual([]);
  });
});

/** The document with something changed in it; `change` gets each of its parts by name. */
// biome-ignore lint/suspicious/noExplicitAny: any part of a document is changed
function changed(change: (document: any) => void): OpenApi {
  const copy = JSON.parse(document);
  change(copy);
  return copy;
}

// biome-ignore lint/suspicious/noExplicitAny: any part of a document is changed
type Change = (document: any) => void;

describe('REST', () => {
  test.each<[string, Change, string[]]>([
    [
      'a path is gone',
      ({ paths }) => delete paths['/cities'],
      ['GET /cities is gone', 'HEAD /cities is gone', 'OPTIONS /cities is gone'],
    ],
    ['a method is gone', ({ paths }) => delete paths['/cities'].head, ['HEAD /cities is gone']],
    [
      'an operation has another name',
      ({ paths }) => {
        paths['/cities'].get.operationId = 'cities';
      },
      ['GET /cities is no longer called listCities'],
    ],
    ['a token is needed', ({ paths }) => delete paths['/countries'].get.security, ['GET /countries now needs a token']],
    [
      'a parameter is gone',
      ({ paths }) => paths['/cities'].get.parameters.shift(),
      ['GET /cities: the parameter country_id is gone'],
    ],
    [
      'a parameter is needed',
      ({ paths }) => {
        paths['/cities'].get.parameters[0].required = true;
      },
      ['GET /cities: the parameter country_id is now required'],
    ],
    [
      'a header is needed',
      ({ components }) => {
        components.parameters.IfMatch.required = true;
      },
      ['PUT /product_tags/{id}: the parameter If-Match is now required'],
    ],
    [
      'a parameter takes less',
      ({ paths }) => {
        paths['/lookups'].get.parameters[0].schema.anyOf.shift();
      },
      ['GET /lookups: brand_types: minimum was undefined, and is 1'],
    ],
    [
      'a success has another status',
      ({ paths }) => {
        paths['/product_tags'].post.responses = { 200: paths['/product_tags'].post.responses[201] };
      },
      ['POST /product_tags is no longer answered 201'],
    ],
    [
      'a form is not taken',
      ({ paths }) => delete paths['/product_tags'].post.requestBody.content['application/x-www-form-urlencoded'],
      ['POST /product_tags: the body is no longer application/x-www-form-urlencoded'],
    ],
    [
      'a header is gone',
      ({ paths }) => delete paths['/product_tags'].post.responses[201].headers.Location,
      ['POST /product_tags (201): the header Location is gone'],
    ],
    [
      'a header may be absent',
      ({ components }) => {
        components.headers.Location.required = false;
      },
      ['POST /product_tags (201): the header Location may now be absent'],
    ],
    [
      'a field is gone',
      ({ components }) => delete components.schemas.Country.properties.name_ar,
      ['Country.name_ar is gone'],
    ],
    [
      'a field has another name',
      ({
        components: {
          schemas: {
            Country: { properties },
          },
        },
      }) => {
        properties.nameEn = properties.name_en;
        delete properties.name_en;
      },
      ['Country.name_en is gone'],
    ],
    [
      'a field may be null',
      ({ components }) => {
        components.schemas.ProductTag.properties.name_en.type = ['string', 'null'];
      },
      ['ProductTag.name_en may now have the types null'],
    ],
    [
      'a field may be absent',
      ({ components }) => components.schemas.City.required.pop(),
      ['City.country may now be absent'],
    ],
    [
      'a list is none',
      ({ components }) => {
        components.schemas.ProductTag.properties.item_ids.type = 'string';
      },
      ['ProductTag.item_ids may now have the types string'],
    ],
    [
      'an answer has a value that it had not',
      ({ components }) => components.schemas.Problem.properties.code.enum.push('sold_out'),
      ['Problem.code may now have the values sold_out'],
    ],
    [
      'an answer is longer',
      ({ components }) => {
        components.schemas.ProductTag.properties.name_en.maxLength = 60;
      },
      ['ProductTag.name_en: maxLength was 50, and is 60'],
    ],
    [
      'a field has to be sent',
      ({ components }) => components.schemas.ProductTagFields.required.push('item_ids'),
      ['ProductTagFields.item_ids is now required'],
    ],
    [
      'a field that is sent may be less long',
      ({ components }) => {
        components.schemas.ProductTagFields.properties.name_en.maxLength = 40;
      },
      ['ProductTagFields.name_en: maxLength was 50, and is 40'],
    ],
    [
      'null is not taken',
      ({ components }) => components.schemas.ProductTagFields.properties.name_ar.anyOf.pop(),
      ['ProductTagFields.name_ar no longer takes alternative 2'],
    ],
    [
      'a wrapped body is not taken',
      ({ paths }) => paths['/product_tags'].post.requestBody.content['application/json'].schema.anyOf.pop(),
      ['POST /product_tags: the body no longer takes alternative 2'],
    ],
    [
      'there is a pattern',
      ({ components }) => {
        components.schemas.ProductTagFields.properties.name_en.pattern = '^x';
      },
      ['ProductTagFields.name_en: the pattern was undefined, and is ^x'],
    ],
  ])('breaks where %s', (_name, change, told) => {
    expect(openApiChanges(JSON.parse(document), changed(change))).toEqual(told.map((each) => `REST: ${each}`));
  });

  test.each<[string, Change]>([
    [
      'a path is new',
      ({ paths }) => {
        paths['/meals'] = paths['/services'];
      },
    ],
    [
      'a parameter is new',
      ({ paths }) => paths['/cities'].get.parameters.push({ name: 'q', in: 'query', schema: { type: 'string' } }),
    ],
    [
      'a field is new',
      ({ components }) => {
        components.schemas.Country.properties.flag = { type: 'string' };
      },
    ],
    [
      'a field may be sent that was none',
      ({ components }) => {
        components.schemas.ProductTagFields.properties.note = { type: 'string' };
      },
    ],
    [
      'a longer name is taken',
      ({ components }) => {
        components.schemas.ProductTagFields.properties.name_en.maxLength = 60;
      },
    ],
    [
      'a header is new',
      ({ paths }) => {
        paths['/countries'].get.responses[200].headers.Age = { schema: { type: 'string' } };
      },
    ],
    [
      'a token is not needed any more',
      ({ paths }) => {
        paths['/product_tags'].post.security = [];
      },
    ],
    ['a failure is no more', ({ paths }) => delete paths['/product_tags'].post.responses[415]],
    [
      'it is told in other words',
      ({ components }) => {
        components.schemas.Country.description = 'A state.';
      },
    ],
  ])('does not break where %s', (_name, change) => {
    expect(openApiChanges(JSON.parse(document), changed(change))).toEqual([]);
  });
});

describe('an exception', () => {
  const change = 'REST: Country.name_ar is gone';

  test('lets a change pass', () => {
    expect(complaintsAbout([change], [{ change, reason: 'Nobody reads it.' }])).toEqual([]);
  });

  test('is refused for no change, and without a reason', () => {
    expect(complaintsAbout([], [{ change, reason: ' ' }])).toEqual([
      expect.stringContaining('for no change'),
      expect.stringContaining('no reason'),
    ]);
  });
});

describe('npm run check:contract', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'partner-gateway-contract-'));
    await mkdir(join(folder, 'contract'));
    for (const file of ['schema.graphql', 'openapi.json', 'contract/released', 'contract/exceptions.json']) {
      await cp(join(root, file), join(folder, file), { recursive: true });
    }
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function check() {
    const child = new Process('contract/check.ts', [folder], {});
    return { code: await child.exited, stderr: child.stderr };
  }

  test('passes as it is', async () => {
    expect(await check()).toEqual({ code: 0, stderr: '' });
  });

  test('refuses what breaks, saying what and how to except it, until it is excepted', async () => {
    await writeFile(join(folder, 'schema.graphql'), schema.replace('dialCode: String!', 'callingCode: String!'));
    const refused = await check();
    expect(refused.code).toBe(1);
    const change = 'GraphQL: EmbeddedCountry.dialCode was removed.';
    expect(refused.stderr).toContain(change);
    expect(refused.stderr).toContain('contract/exceptions.json');

    const exceptions = JSON.parse(await readFile(join(folder, 'contract/exceptions.json'), 'utf8'));
    exceptions.push({ change, reason: 'It was never right.' });
    await writeFile(join(folder, 'contract/exceptions.json'), JSON.stringify(exceptions));
    expect(await check()).toEqual({ code: 0, stderr: '' });

    await cp(join(root, 'schema.graphql'), join(folder, 'schema.graphql'));
    expect(await check()).toMatchObject({ code: 1, stderr: expect.stringContaining('for no change') });
  });
});
