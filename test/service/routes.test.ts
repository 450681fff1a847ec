import type { Express } from 'express';
import { describe, expect, test } from 'vitest';
import { envToConfig } from '../../src/app/config.ts';
import { createSurfaces } from '../../src/app/surfaces.ts';
import { TokenUsage } from '../../src/domain/partner/tokens/token-usage.ts';
import { ReferenceData } from '../../src/domain/reference/reference-data.ts';
import { contextFactory } from '../../src/domain/request/context.ts';
import { createLog } from '../../src/platform/observability/log.ts';
import { createSchema } from '../../src/surfaces/graphql/schema.ts';
import { createGraphQLServer } from '../../src/surfaces/graphql/server.ts';
import { createPages } from '../../src/surfaces/pages/router.ts';
import { sharedApp, startApp, use } from '../support/app.ts';

const app = await sharedApp();
const closed = use(await startApp({ REFERENCE_ACCESS: 'partner' }));

interface Layer {
  name: string;
  rawPath?: string;
  route?: { path: string; stack: { handle: { access?: string } }[] };
  handle: { stack?: Layer[] };
}

/** Every route that Express knows, with the access it declares. */
function routesOf(stack: Layer[], prefix = ''): [path: string, access: string | undefined][] {
  return stack.flatMap(({ route, handle, rawPath = '' }) => {
    if (route) {
      const access = route.stack.find((layer) => layer.handle.access !== undefined)?.handle.access;
      return [[prefix + route.path, access] as [string, string | undefined]];
    }
    return handle.stack === undefined ? [] : routesOf(handle.stack, prefix + rawPath.replace(/^\/$/, ''));
  });
}

async function surfaces(): Promise<Express> {
  const log = createLog('silent');
  const config = envToConfig({});
  const { schema, typeDefs } = createSchema('public');
  const graphql = createGraphQLServer(schema, config, log);
  await graphql.start();
  const createContext = contextFactory({
    db: app.db,
    countRequest: async () => {},
    lookupPageSize: 25,
    referenceData: new ReferenceData(app.db),
    tokenUsage: new TokenUsage(),
  });
  const pages = createPages(config, typeDefs);
  return createSurfaces(graphql, createContext, config.documentLimits, log, pages);
}

const v1 = '/partner_portal/v1';
const inventory: [path: string, access: string][] = [
  // For browsers; other requests go to the surface.
  ['/graphql/', 'page'],
  ['/graphql/', 'schema'],
  [`${v1}/lookups`, 'reference'],
  [`${v1}/countries`, 'reference'],
  [`${v1}/cities`, 'reference'],
  [`${v1}/timezones`, 'reference'],
  [`${v1}/services`, 'reference'],
  [`${v1}/product_tags`, 'partner'],
  [`${v1}/product_tags/:id`, 'partner'],
  [`${v1}/`, 'page'],
  [`${v1}/openapi.json`, 'page'],
  ['/', 'page'],
  ['/explorer', 'page'],
  ['/docs', 'page'],
  ['/assets/:version/*name', 'page'],
  ['/schema.graphql', 'page'],
];

test('every route declares who may use it', async () => {
  const { router } = await surfaces();
  expect(routesOf(router.stack as unknown as Layer[])).toEqual(inventory);
});

describe('without a token', () => {
  test.each(inventory.filter(([, access]) => access === 'reference' || access === 'partner'))(
    '%s is for: %s',
    async (path, access) => {
      const method = access !== 'partner' ? 'GET' : path.endsWith(':id') ? 'PUT' : 'POST';
      const url = path.replace(':id', '1');
      expect((await app.client.fetch(method, url)).status).toBe(access === 'partner' ? 401 : 200);
      expect((await closed.client.fetch(method, url)).status).toBe(access === 'page' ? 200 : 401);
    },
  );

  // A field that is added has to be added here, with what it is.
  const fields: Record<string, ['reference' | 'partner', string]> = {
    lookups: ['reference', '{ lookups { weekDays { value } } }'],
    countries: ['reference', '{ countries { id } }'],
    cities: ['reference', '{ cities { id } }'],
    timezones: ['reference', '{ timezones { id } }'],
    services: ['reference', '{ services { id } }'],
    viewer: ['partner', '{ viewer { partner { id } } }'],
    createProductTag: ['partner', 'mutation { createProductTag(input: { nameEn: "Spicy" }) { productTag { id } } }'],
    updateProductTag: [
      'partner',
      'mutation { updateProductTag(id: 1, input: { nameEn: "Spicy" }) { productTag { id } } }',
    ],
    deleteProductTag: ['partner', 'mutation { deleteProductTag(id: 1) { deletedProductTagId } }'],
  };

  test('every root field of the schema is in the list of fields below', async () => {
    const { body } = await app.client.graphql(
      '{ __schema { queryType { fields { name } } mutationType { fields { name } } } }',
    );
    const { queryType, mutationType } = body.data.__schema;
    const names = [...queryType.fields, ...mutationType.fields].map((field: { name: string }) => field.name);
    expect(names.toSorted()).toEqual(Object.keys(fields).toSorted());
  });

  test.each(Object.entries(fields))('the field %s is for: %s', async (_name, [access, document]) => {
    const expected = access === 'reference' ? 200 : 401;
    expect((await app.client.graphql(document)).status).toBe(expected);
    const { status, body } = await closed.client.graphql(document);
    expect({ status, body }).toMatchObject({
      status: 401,
      body: { errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] },
    });
  });
});
