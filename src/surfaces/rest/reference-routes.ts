import type { Response } from 'express';
import { isPage } from '../../domain/reference/lookups/lookups.resolver.ts';
import type { CreateContext } from '../../domain/request/context.ts';
import { inReferenceLane } from '../../domain/request/lanes.ts';
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
import { invalidParameters, parseInteger, toId } from './parameters.ts';
import type { RunDocument } from './run-document.ts';

/** The query parameters in the order of their first occurrence; the last value of a repeated one counts. */
type Parameters = ReadonlyMap<string, string>;

// Rails clients write `brand_types[]=1` for a list of one.
function parametersOf(url: string): Parameters {
  const parameters = new URLSearchParams(url.split('?').slice(1).join('?'));
  return new Map([...parameters].map(([name, value]) => [name.replace(/\[.*$/s, ''), value]));
}

/** The routes of reference data. */
export function referenceRoutes(runDocument: RunDocument, createContext: CreateContext): Route[] {
  const get = (path: string, read: (response: Response, parameters: Parameters) => Promise<object>): Route => ({
    methods: ['GET', 'HEAD'],
    path,
    access: 'reference',
    handlers: [
      async (request, response) => {
        const parameters = parametersOf(request.originalUrl);
        const made = await inReferenceLane(createContext(response), () => read(response, parameters));
        respondJson(response, made);
      },
    ],
  });
  const list = (path: string, document: TypedDocumentString<object, Record<string, never>>) =>
    get(path, (response) => runDocument(response, document, {}));

  return [
    get('/lookups', async (response, parameters) => {
      // All lists, as those that are not requested cost little.
      const { lookups } = await runDocument(response, V1LookupsDocument, pagesOf(parameters));
      const keys = [...parameters.keys()].filter((key): key is keyof typeof lookups => Object.hasOwn(lookups, key));
      return { lookups: keys.map((key) => ({ [key]: lookups[key] })) };
    }),
    list('/countries', V1CountriesDocument),
    get('/cities', async (response, parameters) => {
      const text = parameters.get('country_id') ?? '';
      if (text === '') return runDocument(response, V1CitiesDocument, {});
      const countryId = parseInteger(text);
      if (countryId === undefined) throw invalidParameters(['country_id'], 'integer');
      return runDocument(response, V1CitiesDocument, { countryId: toId(countryId) });
    }),
    list('/timezones', V1TimezonesDocument),
    list('/services', V1ServicesDocument),
  ];
}

/** The largest Int of GraphQL. Larger pages are as empty. */
const maxPage = 2 ** 31 - 1;

function pagesOf(parameters: Parameters) {
  const pages = { brand_types: 1, cuisine_types: 1, services: 1, applications: 1 };
  const invalid: string[] = [];
  for (const list of Object.keys(pages) as (keyof typeof pages)[]) {
    const page = parseInteger(parameters.get(list) ?? '1') ?? 0;
    if (isPage(page)) pages[list] = Math.min(page, maxPage);
    else invalid.push(list);
  }
  if (invalid.length > 0) throw invalidParameters(invalid, 'page');
  return pages;
}
