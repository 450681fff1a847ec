import type { SchemaObject } from 'openapi3-ts/oas31';
import { z } from 'zod';
import { isPage } from '../../domain/reference/lookups/page.ts';
import { respondJson } from '../../platform/http/response-cache.ts';
import { V1LookupsDocument } from './documents.generated.ts';
import { toPage } from './int32.ts';
import { answerSchema, objectSchema, propertiesOfType } from './openapi/answer-schema.ts';
import { refusedParameter } from './openapi/problem-sample.ts';
import type { Operation } from './operation.ts';
import { integer, parseQuery, queryParameters } from './parameters.ts';

const page = integer
  .pipe(
    z
      .number()
      .refine(isPage)
      .meta({ type: 'integer', anyOf: [{ const: -1 }, { minimum: 1 }] }),
  )
  .optional();

const query = z.object({
  brand_types: page.meta({ description: pageOf('brand types'), examples: [1] }),
  cuisine_types: page.meta({ description: pageOf('cuisine types') }),
  services: page.meta({ description: pageOf('services') }),
  applications: page.meta({ description: pageOf('applications, whose names are never translated') }),
  week_days: z
    .string()
    .optional()
    .meta({
      type: ['integer', 'string'],
      description: 'Asks for the seven days of the week, from Sunday; its value does not matter.',
      examples: [1],
    }),
});

/** GET /lookups: one element a requested lookup key, in the order asked. */
export const listLookups: Operation = {
  id: 'listLookups',
  method: 'GET',
  path: '/lookups',
  access: 'reference',
  summary: 'Lookups: the lists of dropdowns',
  description:
    'The lists that are named as query parameters, and no others: one element a list, in the order of the query, each an ' +
    'object with the name of its list as its only key. Other parameters are ignored; of a repeated one the last value counts.',
  query,
  answer: (schema) => {
    const lookups = propertiesOfType(answerSchema(schema, V1LookupsDocument), 'Lookups');
    const elements = Object.entries(lookups).map(([key, list]) => objectSchema({ [key]: list }));
    const list: SchemaObject = { type: 'array', items: { oneOf: elements }, description: 'The lists, as asked for.' };
    return objectSchema({ lookups: list });
  },
  problems: [refusedParameter('brand_types', 'page')],
  handle: (execute) => async (request, response) => {
    const parameters = queryParameters(request);
    const pages = parseQuery(query, parameters, 'page');
    const { lookups } = await execute(response, V1LookupsDocument, {
      ...(pages.brand_types !== undefined && { brandTypes: toPage(pages.brand_types) }),
      ...(pages.cuisine_types !== undefined && { cuisineTypes: toPage(pages.cuisine_types) }),
      ...(pages.services !== undefined && { services: toPage(pages.services) }),
      ...(pages.applications !== undefined && { applications: toPage(pages.applications) }),
      withBrandTypes: pages.brand_types !== undefined,
      withCuisineTypes: pages.cuisine_types !== undefined,
      withServices: pages.services !== undefined,
      withApplications: pages.applications !== undefined,
      withWeekDays: pages.week_days !== undefined,
    });
    const asked = [...parameters.keys()].filter((key): key is keyof typeof lookups => Object.hasOwn(lookups, key));
    respondJson(response, { lookups: asked.map((key) => ({ [key]: lookups[key] })) });
  },
};

function pageOf(what: string): string {
  return `Asks for the ${what}: page 1 or later, or -1 for the full list. A page past the end is empty.`;
}
