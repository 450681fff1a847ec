import { readFile } from 'node:fs/promises';
import { composeServices } from '@apollo/composition';
import { buildSchema, type DocumentNode, lexicographicSortSchema, parse, printSchema } from 'graphql';
import { describe, expect, test } from 'vitest';
import { startApp, type TestApp, use } from '../support/app.ts';
import { stockSdl } from '../support/stock-subgraph.ts';

const app = use(await startApp({ FEDERATION: 'on' }));

const sdlOf = async ({ client }: TestApp) => (await client.graphql('{ _service { sdl } }')).body.data._service.sdl;

describe('the subgraph', () => {
  const compose = (...typeDefs: DocumentNode[]) =>
    composeServices(
      typeDefs.map((each, index) => ({ name: `subgraph${index}`, typeDefs: each, url: 'http://127.0.0.1' })),
    );

  test.each([
    ['_service', sdlOf],
    ['/schema.graphql', async ({ client }: TestApp) => (await client.fetch<string>('GET', '/schema.graphql')).body],
  ])('of %s composes with one that extends Item', async (_name, read) => {
    const { errors, hints, supergraphSdl } = compose(parse(await read(app)), parse(stockSdl));
    expect({ errors, hints }).toEqual({ errors: undefined, hints: [] });
    expect(supergraphSdl).toMatch(
      /type Item\n\s+@join__type\(graph: SUBGRAPH0, key: "id"\)\n\s+@join__type\(graph: SUBGRAPH1/,
    );
  });

  test('gives clients of a router the schema that clients of the service have', async () => {
    const { schema } = compose(parse(await sdlOf(app)));
    const committed = await readFile(new URL('../../schema.graphql', import.meta.url), 'utf8');
    const plain = committed.replace(/^"""[^"]+"""\ndirective .+$/m, '').replaceAll(' @reference', '');
    const ofRouter = schema?.toAPISchema().toGraphQLJSSchema();
    expect(ofRouter && printSchema(lexicographicSortSchema(ofRouter))).toBe(
      printSchema(lexicographicSortSchema(buildSchema(plain))),
    );
  });
});
