import { respondJson } from '../../platform/http/response-cache.ts';
import type { TypedDocumentString } from './documents.generated.ts';
import { answerSchema } from './openapi/answer-schema.ts';
import type { Operation } from './operation.ts';

type Description = Pick<Operation, 'id' | 'path' | 'summary' | 'description'>;

/** A list of reference data whose GraphQL document is its whole shape. */
export function listOperation<Data>(
  document: TypedDocumentString<Data, { [key: string]: never }>,
  description: Description,
): Operation {
  return {
    ...description,
    method: 'GET',
    access: 'reference',
    answer: (schema) => answerSchema(schema, document),
    problems: [],
    handle: (execute) => async (_request, response) => {
      respondJson(response, await execute(response, document, {}));
    },
  };
}
