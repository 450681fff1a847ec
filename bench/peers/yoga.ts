import type { IncomingMessage } from 'node:http';
import { createSchema, createYoga } from 'graphql-yoga';
import { listen } from './listen.ts';
import { createLoadingContext, type LoadingContext, loadingResolvers, typeDefs } from './resolvers.ts';

type ServerContext = { req: IncomingMessage };

// Configured as in Yoga's documentation for node:http; the IDE is off, as in production.
const yoga = createYoga<ServerContext, LoadingContext>({
  schema: createSchema<ServerContext & LoadingContext>({ typeDefs, resolvers: loadingResolvers }) as never,
  context: ({ req }) => createLoadingContext(req.headers),
  graphiql: false,
});

listen(yoga);
