import { ApolloServer } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled';
import type { GraphQLSchema } from 'graphql';
import type { Logger } from 'pino';
import type { RequestContext } from '../../domain/request/context.ts';
import type { SharedStore } from '../../platform/redis/shared-store.ts';
import { compiledExecution } from './compiled-execution.ts';
import { isWithinLimits } from './document-limits.ts';
import { createErrorFormatter } from './errors.ts';
import type { DocumentLimits } from './limit-error.ts';
import { operationObserver } from './operation-observer.ts';
import { PersistedQueries } from './persisted-queries.ts';
import { publicAnswer } from './public-answer.ts';
import { limitCost } from './query-cost.ts';
import { responseStatus } from './response-status.ts';
import { writeCount } from './write-count.ts';

/** Most errors told of a document, and of its variables: enough to mend it, few enough to write down. */
const maxErrors = 5;

export type GraphQLServer = ApolloServer<RequestContext>;

interface Options {
  introspection: boolean;
  documentLimits: DocumentLimits;
  /** Seconds that a persisted query is kept; 0 is not at all. */
  persistedQueryTtl: number;
}

/** The Apollo server that executes both surfaces; replicas with the same `store` share persisted queries. */
export function createGraphQLServer(
  schema: GraphQLSchema,
  options: Options,
  log: Logger,
  store?: SharedStore,
): GraphQLServer {
  const { persistedQueryTtl: ttl, documentLimits: limits } = options;
  const isAllowed = (text: string) => isWithinLimits(text, limits);
  return new ApolloServer<RequestContext>({
    gateway: compiledExecution(schema, maxErrors),
    introspection: options.introspection,
    csrfPrevention: true,
    persistedQueries: ttl === 0 ? false : { cache: new PersistedQueries({ ttl, isAllowed, store }) },
    allowBatchedHttpRequests: false,
    hideSchemaDetailsFromClientErrors: true,
    includeStacktraceInErrorResponses: false,
    logger: log,
    stopOnTerminationSignals: false,
    validationOptions: { maxErrors, hideSuggestions: true },
    executionOptions: { maxCoercionErrors: maxErrors },
    formatError: createErrorFormatter(log),
    plugins: [
      operationObserver,
      responseStatus,
      limitCost(limits.cost),
      writeCount,
      publicAnswer,
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginLandingPageDisabled(),
    ],
  });
}
