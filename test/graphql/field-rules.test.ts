import { buildSchema } from 'graphql';
import { expect, test } from 'vitest';
import { applyRules } from '../../src/surfaces/graphql/types/field-rules.ts';

test.each<[rules: object, type: string, error: string | undefined]>([
  [{}, '[Int!]!', 'Query.entries is a list and has no cost'],
  [{ cost: 5 }, '[Int!]!', undefined],
  [{}, '[Entry]', 'Query.entries is a list and has no cost'],
  // Its fields would count once.
  [{ cost: 5 }, '[Entry]', 'Query.entries is a list and has no cost'],
  [{ length: () => 5 }, '[Entry]', undefined],
  [{}, 'Entry', undefined],
])('a field with the rules %j of the type %s is rejected at the start: %s', (extensions, type, error) => {
  const schema = buildSchema(`type Query { entries: ${type} } type Entry { id: Int }`);
  const field = schema.getQueryType()?.getFields().entries;
  Object.assign(field ?? {}, { extensions });
  if (error === undefined) expect(() => applyRules(schema)).not.toThrow();
  else expect(() => applyRules(schema)).toThrow(error);
});

test('a union has no cost', () => {
  const schema = buildSchema('type Query { entry: Either } type Entry { id: Int } union Either = Entry');
  expect(() => applyRules(schema)).toThrow('Either');
});
