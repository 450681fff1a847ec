import { readFileSync } from 'node:fs';
import { buildSchema, type GraphQLField, getNamedType, isEnumType, isObjectType, isRequiredArgument } from 'graphql';
import { expect, test } from 'vitest';
import { sharedApp } from '../support/app.ts';
import { surfaces } from '../support/product-tag.ts';
import { createTenant } from '../support/tenant.ts';

const schema = buildSchema(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'), {
  assumeValidSDL: true,
});
const app = await sharedApp();
const tenant = await createTenant(app.db);
await surfaces.REST.create(app.client, { name_en: 'Spicy', item_ids: tenant.products }, tenant);

const roots = Object.values(schema.getQueryType()?.getFields() ?? {}).filter(isAskedWithoutArguments);

// The first is interpreted by graphql-js; the second is compiled, and the third finds it compiled.
test.each([
  ...roots.flatMap((root) => [`{ ${select(root, true, [])} }`, `{ ${select(root, false, [])} }`]),
  '{ __proto__: __typename services { __proto__: code nameEn } }',
  '{ services { nameEn } __proto__: countries { id } }',
  '{ constructor: services { toString: code __typename } }',
])('%s is answered compiled as it is interpreted', async (document) => {
  const responses: string[] = [];
  for (const asked of [1, 2, 3]) {
    // The variable is not used: it is a request of its own, which no kept answer is for.
    const { body } = await app.client.graphql(document, { asked }, tenant);
    expect(body.errors).toBeUndefined();
    responses.push(JSON.stringify(body));
  }
  for (const [, alias] of document.matchAll(/(\w+): [a-z_]/g)) expect(responses[0]).toContain(`"${alias}":`);
  expect(responses.slice(1)).toEqual([responses[0], responses[0]]);
});

/** A field with all that can be asked of it without arguments, no type within itself. */
function select({ name, type, args }: GraphQLField<unknown, unknown>, withEnums: boolean, within: string[]): string {
  const named = getNamedType(type);
  if (!isObjectType(named)) return name;
  const selected = Object.values(named.getFields()).flatMap((field) => {
    const inner = getNamedType(field.type);
    const isLeftOut =
      within.includes(inner.name) ||
      field.name === 'itemIds' ||
      (!withEnums && isEnumType(inner)) ||
      !isAskedWithoutArguments(field);
    return isLeftOut ? [] : [select(field, withEnums, [...within, named.name])];
  });
  // The first two items are not products.
  const page = args.some((argument) => argument.name === 'first') ? `(first: ${name === 'items' ? 4 : 1})` : '';
  return `${name}${page} { __typename ${selected.join(' ')} }`;
}

function isAskedWithoutArguments({ args }: GraphQLField<unknown, unknown>): boolean {
  return !args.some(isRequiredArgument);
}

test('what is absent in a mutation stays as it is, each time that the document is sent', async () => {
  const own = await createTenant(app.db);
  const [item = 0] = own.products;
  const tag = await surfaces.REST.create(app.client, { name_en: 'Spicy', name_ar: 'حار', item_ids: [item] }, own);
  const document = `mutation($n:String!,$ar:String,$ids:[Int!]){
    updateProductTag(id:${tag.id},input:{nameEn:$n,nameAr:$ar,itemIds:$ids}){productTag{nameEn nameAr itemIds}}}`;
  for (const n of ['First', 'Second', 'Third']) {
    const { body } = await app.client.graphql(document, { n }, own);
    expect(body.data?.updateProductTag.productTag).toEqual({ nameEn: n, nameAr: 'حار', itemIds: [item] });
  }
});
