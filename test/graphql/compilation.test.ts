import { makeExecutableSchema } from '@graphql-tools/schema';
import { execute, GraphQLScalarType, parse } from 'graphql';
import { afterAll, expect, test } from 'vitest';
import { createCompiledExecution } from '../../src/surfaces/graphql/compiled-execution.ts';
import { sharedApp } from '../support/test-app.ts';

const { client, createTenant } = await sharedApp();
const { token, products, modifier, modifierGroup } = await createTenant();

// graphql-jit compiles a document by constructing a function.
let compilations = 0;
const { Function: OriginalFunction } = globalThis;
globalThis.Function = new Proxy(OriginalFunction, {
  construct(target, args) {
    compilations += 1;
    return Reflect.construct(target, args);
  },
});
afterAll(() => {
  globalThis.Function = OriginalFunction;
});

const times = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => text(index)).join(' ');
const expanded = `{ ${times(4, (index) => `a${index}: items(first: 1) { ...A }`)} }
  fragment A on ItemConnection { ${times(4, (index) => `b${index}: nodes { ...B }`)} }
  fragment B on Item { ${times(4, (index) => `c${index}: tags(first: 1) { ...C }`)} }
  fragment C on ProductTagConnection { ${times(3, (index) => `d${index}: pageInfo { hasNextPage }`)} }`;
const items = (more = '') => `{ ${times(50, (index) => `a${index}: item(id: 1) { id nameEn name }`)} ${more} }`;
const page = (variable: string, alias: string, argument = `after: $${variable}`) => `query ($${variable}: String) {
  ${alias}: items(first: 2, ${argument}) { nodes { id } } }`;

const objectNames = Object.getOwnPropertyNames(Object.prototype);

test.each<[what: string, query: string, token: string | undefined, isCompiled: boolean]>([
  ['a page of a partner', page('after', 'page'), token, true],
  ['200 positions', items(), token, true],
  ['201 positions', items('__typename'), token, false],
  ['468 positions in a short document', expanded, token, false],
  ['a document without a token', '{ services { id } }', undefined, false],
  ['a document with an unknown token', '{ services { code } }', `pp_${'x'.repeat(40)}`, false],
  ...objectNames.map(
    (name) => [`a variable ${name}`, page(name, 'page'), token, false] as [string, string, string, boolean],
  ),
  ['an alias of a name of every object', page('after', 'valueOf'), token, false],
])('%s gives the same result each time, and is compiled as expected', async (_what, query, token, isCompiled) => {
  compilations = 0;
  const send = async () => (await client.graphql(query, {}, { token })).body;
  const first = await send();
  expect(first.errors).toBeUndefined();
  expect([await send(), await send(), compilations > 0]).toEqual([first, first, isCompiled]);
});

test('a partner gets its first items', async () => {
  const ids = [...products, modifier, modifierGroup].toSorted((a, b) => a - b).slice(0, 2);
  const { body } = await client.graphql(page('toString', 'page'), {}, { token });
  expect(body.data.page.nodes).toEqual(ids.map((id) => ({ id })));
});

test('compiled operations serialize every scalar type like graphql-js', async () => {
  const Length = new GraphQLScalarType({ name: 'Length', serialize: (value) => String(value).length });
  const values = { boolean: 1, float: '1.5', id: 2, int: '3', invalid: 'x', length: 'four', string: 5 };
  const schema = makeExecutableSchema({
    typeDefs: `scalar Length
      type Query { boolean: Boolean float: Float id: ID int: Int invalid: Int length: Length string: String }`,
    resolvers: {
      Length,
      Query: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, () => value])),
    },
  });
  const args = { schema, document: parse(`{ ${Object.keys(values).join(' ')} }`), variableValues: {} };
  const { data, errors } = await execute(args);
  expect(errors).toHaveLength(1);
  const executeCompiled = createCompiledExecution(schema);
  compilations = 0;
  for (const isCompiled of [false, true]) {
    const result = await executeCompiled(args, 'hash', 7);
    expect({ ...result.data }).toEqual({ ...data });
    expect(result.errors?.map(({ message, path }) => ({ message, path }))).toEqual(
      errors?.map(({ message, path }) => ({ message, path })),
    );
    expect(compilations > 0).toBe(isCompiled);
  }
});
