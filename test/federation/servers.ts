import type { IncomingHttpHeaders } from 'node:http';
import { ApolloGateway, IntrospectAndCompose, RemoteGraphQLDataSource } from '@apollo/gateway';
import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import type { GatewayInterface } from '@apollo/server-gateway-interface';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { parse } from 'graphql';
import { documentBlock } from '../support/documents.ts';

type GraphQLDataSourceProcessOptions = Parameters<NonNullable<RemoteGraphQLDataSource['willSendRequest']>>[0];

interface Context {
  headers: IncomingHttpHeaders;
}

/** The schema of a second subgraph, which extends our items. */
const stockSdl = await documentBlock('docs/federation.md', 'Another subgraph', 'graphql');

/** A service with ten times its id of each item. Its `lowStock` returns items by these ids. */
export function startStockSubgraph(lowStock: number[]) {
  const resolvers = {
    Query: { lowStock: () => lowStock.map((id) => ({ id })) },
    Item: { stockLevel: ({ id }: { id: number }) => 10 * id },
  };
  const schema = buildSubgraphSchema([{ typeDefs: parse(stockSdl), resolvers }]);
  return serve(new ApolloServer<Context>({ schema, stopOnTerminationSignals: false }));
}

/** A router before subgraphs, which it composes of what their `_service` says, and to which it passes on who asks. */
export function startRouter(subgraphs: { name: string; url: string }[]) {
  // Otherwise it would report its use to Apollo.
  process.env.APOLLO_TELEMETRY_DISABLED = 'true';
  const gateway = new ApolloGateway({
    supergraphSdl: new IntrospectAndCompose({ subgraphs }),
    buildService: ({ url = '' }) => new CallersSubgraph({ url }),
  });
  // By its types it is for an older server; what it does is the same.
  const options = { gateway: gateway as unknown as GatewayInterface, stopOnTerminationSignals: false };
  return serve(new ApolloServer<Context>(options));
}

async function serve(server: ApolloServer<Context>): Promise<AsyncDisposable & { url: string }> {
  const { url } = await startStandaloneServer(server, {
    listen: { port: 0, host: '127.0.0.1' },
    context: async ({ req: { headers } }) => ({ headers }),
  });
  return { url: url.replace(/\/$/, ''), [Symbol.asyncDispose]: () => server.stop() };
}

// As docs/federation.md shows it.
class CallersSubgraph extends RemoteGraphQLDataSource {
  override willSendRequest({ request, context }: GraphQLDataSourceProcessOptions) {
    for (const name of ['authorization', 'accept-language', 'idempotency-key']) {
      const value = context.headers?.[name];
      if (value) request.http?.headers.set(name, value);
    }
  }
}
