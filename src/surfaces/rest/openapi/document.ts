import type { GraphQLSchema } from 'graphql';
import type { OpenAPIObject, PathItemObject } from 'openapi3-ts/oas31';
import type { Config } from '../../../app/config.ts';
import { version } from '../../../kernel/package.ts';
import { restPath } from '../../../kernel/request/surface-path.ts';
import { operations } from '../operations.ts';
import { SharedComponents } from './components.ts';
import { responseHeaders } from './headers.ts';
import { headerParameters } from './parameters.ts';
import { elsewhereOf, pathItemOf, type Setting, tags } from './path-item.ts';
import { problemSchema } from './problem-response.ts';

const description = `
Reference data in English and Arabic, and product tags, of a restaurant and point-of-sale platform.

- **Language**: names and messages are in the language of \`Accept-Language\`, Arabic or else English.
- **Token**: \`Authorization: Bearer pp_...\`, where a route asks for one.
- **Methods**: where there is GET, HEAD answers the same without the body; OPTIONS answers with \`Allow\`; any other method is
  refused with it (405 \`method_not_allowed\`). A path that is not here is 404 \`not_found\`.
- **Errors** are problems (RFC 9457): go by \`code\`, show \`detail\`, and tell \`request_id\` when you ask about one.
- **Try again** what was answered 429, 503 or 409 \`conflict\`, after \`Retry-After\` seconds where it is there: a GET, a PUT, and
  a POST with an \`Idempotency-Key\` have the same result twice.
`.trim();

/** The description of v1 in OpenAPI 3.1, made of what its routes are made of. */
export function createDocument(
  schema: GraphQLSchema,
  { referenceAccess, rateLimits }: Pick<Config, 'referenceAccess' | 'rateLimits'>,
): OpenAPIObject {
  const setting: Setting = { schema, referenceAccess, limited: rateLimits !== undefined };
  const shared = new SharedComponents();
  const paths: Record<string, PathItemObject> = {};
  for (const [path, group] of Map.groupBy(operations, (operation) => operation.path)) {
    const item = shared.shareProblems(shared.shareSchemas(pathItemOf(group, setting)));
    paths[path.replace(/:(\w+)/g, '{$1}')] = item;
  }
  shared.shareProblems({ any: { operationId: 'any', responses: elsewhereOf(setting) } } as PathItemObject);
  shared.shareSchemas(problemSchema(shared.problemCodes()));
  return {
    openapi: '3.1.0',
    info: { title: 'Partner gateway, REST v1', version, description },
    servers: [{ url: restPath, description: 'The host that this document is from.' }],
    security: [{ token: [] }],
    tags: [
      { name: tags.reference, description: 'The same for everybody, and made to be kept: each answer has an `ETag`.' },
      { name: tags.partner, description: "The calling partner's own, and never kept. They are read through GraphQL." },
      { name: tags.others, description: 'What any path answers beside its own methods.' },
    ],
    paths,
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', bearerFormat: 'pp_...', description: 'The token of a partner.' },
      },
      schemas: sorted(shared.schemas),
      responses: sorted(shared.responses),
      parameters: headerParameters,
      headers: responseHeaders,
    },
  };
}

function sorted<Value>(record: Record<string, Value>): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
