import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { graphql, parse } from 'graphql';
import { documentBlock } from './documents.ts';

/** The schema of a second subgraph, as docs/federation.md shows it: it adds a field to our items, and has a root field of its own. */
export const stockSdl = await documentBlock('docs/federation.md', 'Another subgraph', 'graphql');

interface StockSubgraph extends AsyncDisposable {
  url: string;
  /** Ids of the items that `lowStock` tells. */
  lowStock: number[];
  /** The headers of the last request. */
  lastHeaders: IncomingHttpHeaders;
}

/** A service that knows how many there are of each item: ten times its id. */
export async function startStockSubgraph(): Promise<StockSubgraph> {
  const resolvers = {
    Query: { lowStock: () => subgraph.lowStock.map((id) => ({ id })) },
    Item: { stockLevel: ({ id }: { id: number }) => 10 * id },
  };
  const schema = buildSubgraphSchema([{ typeDefs: parse(stockSdl), resolvers }]);
  const server = createServer(async (request, response) => {
    subgraph.lastHeaders = request.headers;
    const { query, variables } = (await json(request)) as { query: string; variables?: Record<string, unknown> };
    const answer = await graphql({ schema, source: query, variableValues: variables ?? null });
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(answer));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const subgraph: StockSubgraph = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lowStock: [],
    lastHeaders: {},
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return subgraph;
}
