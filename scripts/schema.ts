import { createSchema } from '../src/surfaces/graphql/schema.ts';
import { write } from './write.ts';

// Writes schema.graphql from the resolvers.
write('schema.graphql', `${createSchema('public').typeDefs}\n`);
