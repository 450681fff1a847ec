import type { IncomingHttpHeaders } from 'node:http';
import { ApolloGateway, IntrospectAndCompose, RemoteGraphQLDataSource } from '@apollo/gateway';
import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import type { GatewayInterface } from '@apollo/server-gateway-interface';

type GraphQLDataSourceProcessOptions = Parameters<NonNullable<RemoteGraphQLDataSource['willSendRequest']>>[0];

interface Router extends AsyncDisposable {
  url: string;
}

/** A router before subgraphs, which it composes of what their `_service` says, and to which it passes on who asks. */
export async function startRouter(subgraphs: { name: string; url: string }[]): Promise<Router> {
  // Otherwise it would report its use to Apollo.
  process.env.APOLLO_TELEMETRY_DISABLED = 'true';
  const gateway = new ApolloGateway({
    supergraphSdl: new IntrospectAndCompose({ subgraphs }),
    buildService: ({ url = '' }) => new CallersSubgraph({ url }),
  });
  const server = new ApolloServer<{ headers: IncomingHttpHeaders }>({
    // By its types it is for an older server; what it does is the same.
    gateway: gateway as unknown as GatewayInterface,
    stopOnTerminationSignals: false,
  });
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
