import { createSchema } from '../../src/surfaces/graphql/schema.ts';
import { write } from './write.ts';

// Before the documents, which are checked against the schema, and before the service, whose routes import the documents.
write('schema.graphql', `${createSchema('public').typeDefs}\n`);
