import express, { type RequestHandler, type Router } from 'express';
import type { Logger } from 'pino';
import type { Config } from '../../app/config.ts';
import type { CreateContext } from '../../domain/request/context-factory.ts';
import { graphqlPath } from '../../kernel/request/surface-path.ts';
import { declarePublic } from '../../platform/http/response-cache.ts';
import { addRoutes, type Guards, type Route } from '../../platform/http/routes.ts';
import type { DocumentServer } from '../rest/execute.ts';
import { readAssets } from './assets.ts';
import { demoTokenFinder } from './demo-token.ts';
import { getDocs } from './docs.ts';
import { getExplorer } from './explorer.ts';
import { getHome } from './home.ts';
import { policy } from './page.ts';
import { prefersPage } from './prefers-page.ts';
import { referenceExamples } from './reference-examples.ts';
import { getSandbox } from './sandbox.ts';
import { getSchema } from './schema.ts';

interface Parts {
  config: Pick<Config, 'databaseUrl' | 'dataDir' | 'introspection' | 'referenceAccess'>;
  graphql: DocumentServer;
  createContext: CreateContext;
  log: Logger;
  /** The schema in the schema language. */
  typeDefs: string;
  /** What reference data is of, another value after each change. */
  versionOf: () => unknown;
}

/** What people open in a browser: the pages at their addresses, and the one at the address of the GraphQL surface. */
export interface Pages {
  atRoot: Router;
  atGraphQL: Router;
}

/** The pages by which a developer finds out about the service; they are nobody's secret, and are limited as all reads are. */
export function createPages({ config, graphql, createContext, log, typeDefs, versionOf }: Parts): Pages {
  const assets = readAssets();
  const findDemoToken = demoTokenFinder(config.databaseUrl, config.dataDir);
  const { introspection } = config;
  const home = getHome({
    assets,
    isClosed: config.referenceAccess === 'partner',
    isEmbedded: config.databaseUrl === undefined,
    hasSchema: introspection,
    referenceExamples: referenceExamples({ graphql, createContext, log }, versionOf),
  });
  const routes: Route[] = [
    page('/', home),
    page('/explorer', getExplorer(assets, findDemoToken, introspection)),
    page('/docs', getDocs(assets, findDemoToken)),
    page('/assets/:file', setAssetPolicy, assets.serve),
    ...(introspection ? [page('/schema.graphql', getSchema(typeDefs))] : []),
  ];
  const sandbox: Route = { ...page('/', getSandbox(assets, findDemoToken)), isFor: prefersPage };
  return {
    atRoot: addRoutes(express.Router(), '', routes, guards),
    atGraphQL: addRoutes(express.Router(), graphqlPath, [sandbox], guards),
  };
}

function page(path: string, ...handlers: RequestHandler[]): Route {
  return { methods: ['GET', 'HEAD'], path, access: 'page', handlers };
}

// Each is made for its request, by its host and from where it comes.
const notKept: RequestHandler = (_request, response, next) => {
  declarePublic(response, false);
  next();
};

const guards: Guards = { page: [notKept] };

// A worker's own: it loads its parts.
const setAssetPolicy: RequestHandler = (_request, response, next) => {
  response.set('Content-Security-Policy', policy());
  next();
};
