import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { isPage } from '../../domain/reference/lookups.ts';
import type { AppError } from '../../kernel/errors/app-error.ts';
import type { Expectation } from '../../kernel/errors/catalog.ts';
import { restPath } from '../../kernel/request/surface-path.ts';
import type { ResponseCache } from '../../platform/cache/response-cache.ts';
import type { Route } from '../../platform/http/routes.ts';
import { getContext, type RequestContext } from '../request/context.ts';
import {
  type LookupKey,
  V1CitiesDocument,
  V1CountriesDocument,
  V1LookupDocument,
  V1ServicesDocument,
  V1TimezonesDocument,
} from './documents.generated.ts';
import { invalidParameters, parseInteger, toId } from './parameters.ts';
import type { RunDocument } from './run-document.ts';

const supportedParameters = {
  '/lookups': ['brand_types', 'cuisine_types', 'services', 'applications', 'week_days'],
  '/countries': [],
  '/cities': ['country_id'],
  '/timezones': [],
  '/services': [],
} satisfies Record<string, (Lowercase<LookupKey> | 'country_id')[]>;

type Path = keyof typeof supportedParameters;

const paths = new Map(Object.keys(supportedParameters).map((path) => [restPath + path, path as Path]));

/** Supported parameters in the order of their first occurrence; the last value of a repeated one wins. */
type Parameters = ReadonlyMap<string, string>;

function parseParameters(path: Path, url: string): Parameters {
  const supported: string[] = supportedParameters[path];
  if (!url.includes('?')) return new Map();
  const sent = [...new URLSearchParams(url.slice(url.indexOf('?') + 1))];
  // Rails clients write `brand_types[]=1` for a list of one.
  const parameters = sent.map(([name, value]) => [name.replace(/\[.*$/s, ''), value.trim()] as const);
  return new Map(parameters.filter(([name]) => supported.includes(name)));
}

/** In characters. */
const maxCacheableUrl = 1_000;

/** The cache key of a read of reference data, the same for all spellings of its URL; undefined for other requests. */
export function referenceKey(url: string): string | undefined {
  const [target = ''] = url.split('?', 1);
  const fullPath = target.replace(/\/$/, '');
  const path = paths.get(fullPath);
  if (path === undefined || url.length > maxCacheableUrl) return undefined;
  const values = [...parseParameters(path, url)].map(([name, value]) => [name, parseInteger(value) ?? value]);
  return values.length === 0 ? fullPath : fullPath + JSON.stringify(values);
}

export function referenceRoutes(runDocument: RunDocument, responses: ResponseCache): Route[] {
  const get = (path: Path, read: (context: RequestContext, parameters: Parameters) => Promise<object>): Route => ({
    methods: ['GET', 'HEAD'],
    path,
    access: 'reference',
    handlers: [
      async ({ url }, response) => {
        const context = getContext(response);
        await context.admission.enter();
        // Another request may have stored the response while this one waited.
        if (responses.sendStored(response)) return;
        const body = JSON.stringify(await read(context, parseParameters(path, url)));
        await responses.sendAndStore(response.type('json'), 200, body);
      },
    ],
  });
  const list = (path: Path, document: TypedDocumentNode<object, Record<string, never>>) =>
    get(path, (context) => runDocument(context, document, {}));

  return [
    get('/lookups', async (context, parameters) => {
      const lists = parseLists(parameters).map(async ([name, variables]) => {
        const { lookups } = await runDocument(context, V1LookupDocument, variables);
        return { [name]: lookups };
      });
      return { lookups: await Promise.all(lists) };
    }),
    list('/countries', V1CountriesDocument),
    get('/cities', async (context, parameters) => {
      const text = parameters.get('country_id') ?? '';
      if (text === '') return runDocument(context, V1CitiesDocument, {});
      const countryId = parseInteger(text);
      if (countryId === undefined) throw invalidQuery({ country_id: text }, 'integer');
      return runDocument(context, V1CitiesDocument, { countryId: toId(countryId) });
    }),
    list('/timezones', V1TimezonesDocument),
    list('/services', V1ServicesDocument),
  ];
}

/** The largest Int of GraphQL. Larger pages are empty too. */
const maxPage = 2 ** 31 - 1;

/** The names of the lists, with the variables of their document. */
function parseLists(parameters: Parameters) {
  const invalid: Record<string, string> = {};
  const lists = [...parameters].map(([name, value]) => {
    const page = name === 'week_days' ? 1 : (parseInteger(value) ?? 0);
    if (!isPage(page)) invalid[name] = value;
    return [name, { key: name.toUpperCase() as LookupKey, page: Math.min(page, maxPage) }] as const;
  });
  if (Object.keys(invalid).length > 0) throw invalidQuery(invalid, 'page');
  return lists;
}

function invalidQuery(parameters: Record<string, string>, expected: Expectation): AppError {
  const error = invalidParameters(Object.keys(parameters), expected);
  // A semicolon in a value was meant to separate two parameters.
  if (Object.values(parameters).some((value) => value.includes(';'))) error.hint = 'semicolon';
  return error;
}
