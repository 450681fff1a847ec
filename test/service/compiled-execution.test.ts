import { readFileSync } from 'node:fs';
import {
  buildSchema,
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  isEnumType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import { expect, test } from 'vitest';
import { sharedApp } from '../support/app.ts';
import { surfaces } from '../support/product-tag.ts';
import { createTenant } from '../support/tenant.ts';

const schema = buildSchema(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'), {
  assumeValidSDL: true,
});
const query = schema.getQueryType() as GraphQLObjectType;

const app = await sharedApp();
const tenant = await createTenant(app.db);
await surfaces.REST.create(app.client, { name_en: 'Spicy', item_ids: tenant.products }, tenant);

const roots = Object.values(query.getFields()).filter(isAskedWithoutArguments);

// The first is interpreted by graphql-js; the second is compiled, and the third finds it compiled.
test.each(
  roots.flatMap(({ name }) => [
    { name, enums: 'with' },
    { name, enums: 'without' },
  ]),
)('$name with all of its fields, $enums enums, is answered compiled as it is interpreted', async ({ name, enums }) => {
  const document = `{ ${select(query.getFields()[name] as GraphQLField<unknown, unknown>, enums === 'with', [])} }`;
  const answers: unknown[] = [];
  for (const asked of [1, 2, 3]) {
    // The variable is not used: it is a request of its own, which no kept answer is for.
    const { body } = await app.client.graphql(document, { asked }, tenant);
    expect(body.errors).toBeUndefined();
    answers.push(body.data);
  }
  expect(answers.slice(1)).toEqual([answers[0], answers[0]]);
});

test.each([
  ['a field called __proto__', '{ __proto__: __typename services { __proto__: code nameEn } }'],
  ['an object called __proto__', '{ services { nameEn } __proto__: countries { id } }'],
  ['fields called as what every object has', '{ constructor: services { toString: code __typename } }'],
])('%s is returned each time', async (_name, document) => {
  const responses: string[] = [];
  for (const asked of [1, 2, 3]) {
    const { body } = await app.client.graphql(document, { asked }, tenant);
    responses.push(JSON.stringify(body));
  }
  expect(responses[0]).toMatch(/^\{"data":\{.*"(__proto__|constructor)":/);
  expect(responses.slice(1)).toEqual([responses[0], responses[0]]);
});

/** A field with all that can be asked of it without arguments, no type within itself. */
function select({ name, type }: GraphQLField<unknown, unknown>, withEnums: boolean, within: string[]): string {
  const named = getNamedType(type);
  if (!isObjectType(named)) return name;
  const fields = Object.values(named.getFields()).filter(isAskedWithoutArguments);
  const selected = fields.flatMap((field) => {
    const { name: typeName } = getNamedType(field.type);
    if (within.includes(typeName) || (!withEnums && isEnumType(getNamedType(field.type)))) return [];
    return [select(field, withEnums, [...within, named.name])];
  });
  return `${name} { __typename ${selected.join(' ')} }`;
}

function isAskedWithoutArguments({ args }: GraphQLField<unknown, unknown>): boolean {
  return !args.some(isRequiredArgument);
}
