import Fastify from 'fastify';
import mercurius from 'mercurius';
import { database } from './kysely.ts';
import { endWithParent } from './listen.ts';
import { listTagsOfItems } from './queries.ts';
import { createContext, resolvers, typeDefs } from './resolvers.ts';

const app = Fastify();
await app.register(mercurius, {
  schema: typeDefs,
  resolvers: resolvers as never,
  loaders: {
    Item: {
      tags: {
        loader: (queries: { obj: { companyId: number; id: number } }[]) =>
          listTagsOfItems(
            database,
            queries.map((query) => query.obj),
          ),
        // The cache would serialize every item as a key, and each item is loaded only once here.
        opts: { cache: false },
      },
    },
  },
  context: (request) => createContext(request.headers),
  jit: 1,
});
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
endWithParent();
