import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { graphqlChanges } from '../contract/graphql-changes.ts';
import { root } from './support/contract.ts';

const schema = await readFile(`${root}schema.graphql`, 'utf8');

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
