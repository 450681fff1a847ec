import type { RequestHandler } from 'express';
import { isPage } from '../../domain/reference/lookups/lookups.type.ts';
import { respondJson } from '../../platform/http/response-cache.ts';
import type { Route } from '../../platform/http/routes.ts';
import {
  type TypedDocumentString,
  V1CitiesDocument,
  V1CountriesDocument,
  V1LookupsDocument,
  V1ServicesDocument,
  V1TimezonesDocument,
} from './documents.generated.ts';
import type { Execute } from './execute.ts';
import { invalidParameters, parseInteger, queryParameters, toId } from './parameters.ts';

/** The routes of reference data. */
export function referenceRoutes(execute: Execute): Route[] {
  return [
    get('/lookups', listLookups(execute)),
    get('/countries', list(execute, V1CountriesDocument)),
    get('/cities', listCities(execute)),
    get('/timezones', list(execute, V1TimezonesDocument)),
    get('/services', list(execute, V1ServicesDocument)),
  ];
}

function get(path: string, handler: RequestHandler): Route {
  return { methods: ['GET', 'HEAD'], path, access: 'reference', handlers: [handler] };
}

/** A list whose GraphQL document is the whole response. */
function list<Data>(execute: Execute, document: TypedDocumentString<Data, Record<string, never>>): RequestHandler {
  return async (_request, response) => {
    respondJson(response, await execute(response, document, {}));
  };
}

function listCities(execute: Execute): RequestHandler {
  return async (request, response) => {
    const text = queryParameters(request).get('country_id');
    const countryId = text === undefined ? undefined : parseInteger(text);
    if (text !== undefined && countryId === undefined) throw invalidParameters(['country_id'], 'integer');
    respondJson(response, await execute(response, V1CitiesDocument, { countryId: countryId && toId(countryId) }));
  };
}

/** The largest Int of GraphQL. Larger pages are as empty. */
const maxPage = 2 ** 31 - 1;

/** One element per requested list, in the order of the query. */
function listLookups(execute: Execute): RequestHandler {
  return async (request, response) => {
    const parameters = queryParameters(request);
    const pages = { brand_types: 1, cuisine_types: 1, services: 1, applications: 1 };
    const invalid: string[] = [];
    for (const list of Object.keys(pages) as (keyof typeof pages)[]) {
      const page = parseInteger(parameters.get(list) ?? '1') ?? 0;
      if (isPage(page)) pages[list] = Math.min(page, maxPage);
      else invalid.push(list);
    }
    if (invalid.length > 0) throw invalidParameters(invalid, 'page');
    // All lists, as those that are not requested cost little.
    const { lookups } = await execute(response, V1LookupsDocument, {
      brandTypes: pages.brand_types,
      cuisineTypes: pages.cuisine_types,
      services: pages.services,
      applications: pages.applications,
    });
    const requested = [...parameters.keys()].filter((key): key is keyof typeof lookups => Object.hasOwn(lookups, key));
    respondJson(response, { lookups: requested.map((key) => ({ [key]: lookups[key] })) });
  };
}
