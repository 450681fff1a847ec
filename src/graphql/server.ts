import { ApolloServer } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled';
import type { GraphQLSchema } from 'graphql';
import type { Logger } from 'pino';
import type { RequestContext } from '../request/context.ts';
import { compiledExecution } from './compiled-execution.ts';
import { createErrorFormatter } from './errors.ts';
import type { DocumentLimits } from './limit-error.ts';
import { operationObserver } from './operation-observer.ts';
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
}

/** The Apollo server that executes both surfaces. */
export function createGraphQLServer(schema: GraphQLSchema, options: Options, log: Logger): GraphQLServer {
  return new ApolloServer<RequestContext>({
    gateway: compiledExecution(schema, maxErrors),
    introspection: options.introspection,
    csrfPrevention: true,
    persistedQueries: false,
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
      limitCost(options.documentLimits.cost),
      writeCount,
      publicAnswer,
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginLandingPageDisabled(),
    ],
  });
}
