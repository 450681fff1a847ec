import type { RequestHandler } from 'express';
import { isPage } from '../lookups/page.ts';
import { V1LookupsDocument } from './documents.generated.ts';
import type { Execute } from './execute.ts';
import { toPage } from './int32.ts';
import { parseInteger, queryParameters, refuseParameters } from './parameters.ts';

/** GET /lookups: one element a requested lookup key, in the order asked. */
export function getLookups(execute: Execute): RequestHandler {
  return async (request, response) => {
    const parameters = queryParameters(request);
    const pages = parsePages(parameters);
    const { lookups } = await execute(response, V1LookupsDocument, {
      ...(pages.brand_types !== undefined && { brandTypes: pages.brand_types }),
      ...(pages.cuisine_types !== undefined && { cuisineTypes: pages.cuisine_types }),
      ...(pages.services !== undefined && { services: pages.services }),
      ...(pages.applications !== undefined && { applications: pages.applications }),
      withBrandTypes: pages.brand_types !== undefined,
      withCuisineTypes: pages.cuisine_types !== undefined,
      withServices: pages.services !== undefined,
      withApplications: pages.applications !== undefined,
      withWeekDays: parameters.has('week_days'),
    });
    const asked = [...parameters.keys()].filter((key): key is keyof typeof lookups => Object.hasOwn(lookups, key));
    response.json({ lookups: asked.map((key) => ({ [key]: lookups[key] })) });
  };
}

const pagedLookups = ['brand_types', 'cuisine_types', 'services', 'applications'] as const;

type Pages = Partial<Record<(typeof pagedLookups)[number], number>>;

// Every mistake is named at once.
function parsePages(parameters: Map<string, string>): Pages {
  const pages: Pages = {};
  const refused: string[] = [];
  for (const key of pagedLookups) {
    const text = parameters.get(key);
    if (text === undefined) continue;
    const page = parseInteger(text);
    if (page !== undefined && isPage(page)) pages[key] = toPage(page);
    else refused.push(key);
  }
  if (refused.length > 0) refuseParameters(refused, 'page');
  return pages;
}
