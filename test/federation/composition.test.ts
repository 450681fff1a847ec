import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { composeServices } from '@apollo/composition';
import type { GraphQLSchema } from 'graphql';
import { expect, test } from 'vitest';
import { documentBlock } from '../support/documents.ts';
import { startApp, type TestApp, use } from '../support/test-app.ts';

// The composition requires the CommonJS build, whose objects the other build does not accept.
const graphql: typeof import('graphql') = createRequire(import.meta.url)('graphql');
const { buildASTSchema, buildSchema, lexicographicSortSchema, parse, printSchema, visit } = graphql;

const stockSdl = await documentBlock('docs/federation.md', 'Another subgraph', 'graphql');
const app = use(await startApp({ FEDERATION: 'on' }));

const sdlOf = async ({ client }: TestApp) => (await client.graphql('{ _service { sdl } }')).body.data._service.sdl;

const compose = (...sdls: string[]) =>
  composeServices(sdls.map((sdl, index) => ({ name: `subgraph${index}`, typeDefs: parse(sdl), url: app.url })));

test.each([
  ['_service', sdlOf],
  ['/schema.graphql', async ({ client }: TestApp) => (await client.fetch<string>('GET', '/schema.graphql')).body],
])('the subgraph of %s composes with one that extends Item', async (_name, read) => {
  const { errors, hints, supergraphSdl } = compose(await read(app), stockSdl);
  expect({ errors, hints }).toEqual({ errors: undefined, hints: [] });
  expect(supergraphSdl).toMatch(/type Item\n.*@join__type\(graph: SUBGRAPH0, key: "id"\)\n.*SUBGRAPH1/);
});

test('the subgraph gives clients of a router the schema that clients of the service have', async () => {
  const { schema } = compose(await sdlOf(app));
  const committed = await readFile(new URL('../../schema.graphql', import.meta.url), 'utf8');
  const own = ['complexity', 'reference'];
  const plain = visit(parse(committed), {
    DirectiveDefinition: () => null,
    Directive: ({ name }) => (own.includes(name.value) ? null : undefined),
  });
  const ofRouter = schema?.toAPISchema().toGraphQLJSSchema() ?? buildSchema('type Query { none: Int }');
  const print = (each: GraphQLSchema) => printSchema(lexicographicSortSchema(each));
  expect(print(ofRouter)).toBe(print(buildASTSchema(plain)));
});
