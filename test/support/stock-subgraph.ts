import { json } from 'node:stream/consumers';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { graphql, parse } from 'graphql';
import { documentBlock } from './documents.ts';
import { startHttpServer } from './http-server.ts';

/** The schema of a second subgraph, as docs/federation.md shows it: it adds a field to our items, and has a root field of its own. */
export const stockSdl = await documentBlock('docs/federation.md', 'Another subgraph', 'graphql');

/** A service that knows how many there are of each item: ten times its id. */
export async function startStockSubgraph() {
  const state = {
    /** Ids of the items that `lowStock` returns. */
    lowStock: [] as number[],
  };
  const resolvers = {
    Query: { lowStock: () => state.lowStock.map((id) => ({ id })) },
    Item: { stockLevel: ({ id }: { id: number }) => 10 * id },
  };
  const schema = buildSubgraphSchema([{ typeDefs: parse(stockSdl), resolvers }]);
  const server = await startHttpServer(async (request, response) => {
    const { query, variables } = (await json(request)) as { query: string; variables?: Record<string, unknown> };
    const answer = await graphql({ schema, source: query, variableValues: variables ?? null });
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(answer));
  });
  return Object.assign(state, server);
}
