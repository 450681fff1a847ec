import { z } from 'zod';
import { respondJson } from '../../platform/http/response-cache.ts';
import { V1CitiesDocument } from './documents.generated.ts';
import { toId } from './int32.ts';
import { answerSchema } from './openapi/answer-schema.ts';
import { refusedParameter } from './openapi/problem-sample.ts';
import type { Operation } from './operation.ts';
import { integer, parseQuery, queryParameters } from './parameters.ts';

const query = z.object({
  country_id: integer.optional().meta({
    description:
      'Only the cities of this country, by its ISO 3166-1 numeric code; none where there is no such country.',
    examples: [682],
  }),
});

/** GET /cities: those of `country_id`, or all. */
export const listCities: Operation = {
  id: 'listCities',
  method: 'GET',
  path: '/cities',
  access: 'reference',
  summary: 'Cities',
  description: 'The cities of a country, or all, by their name in the language asked for.',
  query,
  answer: (schema) => answerSchema(schema, V1CitiesDocument),
  problems: [refusedParameter('country_id', 'integer')],
  handle: (execute) => async (request, response) => {
    const { country_id: id } = parseQuery(query, queryParameters(request), 'integer');
    respondJson(
      response,
      await execute(response, V1CitiesDocument, { countryId: id === undefined ? undefined : toId(id) }),
    );
  },
};
