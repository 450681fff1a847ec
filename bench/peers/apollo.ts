import { ApolloServer } from '@apollo/server';
import { expressMiddleware } from '@as-integrations/express5';
import express from 'express';
import { listen } from './listen.ts';
import { createLoadingContext, type LoadingContext, loadingResolvers, typeDefs } from './resolvers.ts';

// Configured as in Apollo's documentation for Express.
const server = new ApolloServer<LoadingContext>({ typeDefs, resolvers: loadingResolvers });
await server.start();

listen(
  express().use(
    '/graphql',
    express.json(),
    expressMiddleware(server, { context: async ({ req }) => createLoadingContext(req.headers) }),
  ),
);
