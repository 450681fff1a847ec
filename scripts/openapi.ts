import { envToConfig } from '../src/app/config.ts';
import { createSchema } from '../src/surfaces/graphql/schema.ts';
import { createDocument } from '../src/surfaces/rest/openapi/document.ts';
import { write } from './write.ts';

// Writes openapi.json from the routes of v1, as the service describes itself with its default settings.
const { schema } = createSchema('public');
write('openapi.json', `${JSON.stringify(createDocument(schema, envToConfig({})), null, 2)}\n`);
