import { ApolloServer } from '@apollo/server';
import { ApolloServerPluginCacheControlDisabled } from '@apollo/server/plugin/disabled';
import { ApolloServerPluginLandingPageLocalDefault } from '@apollo/server/plugin/landingPage/default';
import type { GraphQLSchema } from 'graphql';
import type { Logger } from 'pino';
import type { RequestContext } from '../request/context.ts';
import { createErrorFormatter } from './errors.ts';
import { publicAnswer } from './public-answer.ts';
import { queryCost } from './query-cost.ts';
import { responseStatus } from './response-status.ts';
import { writeCount } from './write-count.ts';

/** Most tokens of a document: room for a tag's 10,000 items written out in it, few enough to parse without harm. */
const maxTokens = 12_000;

export type GraphQLServer = ApolloServer<RequestContext>;

/** The Apollo server that executes both surfaces. */
export function createGraphQLServer(schema: GraphQLSchema, introspection: boolean, log: Logger): GraphQLServer {
  return new ApolloServer<RequestContext>({
    schema,
    introspection,
    csrfPrevention: true,
    persistedQueries: false,
    allowBatchedHttpRequests: false,
    hideSchemaDetailsFromClientErrors: true,
    includeStacktraceInErrorResponses: false,
    logger: log,
    stopOnTerminationSignals: false,
    parseOptions: { maxTokens },
    formatError: createErrorFormatter(log),
    plugins: [
      responseStatus,
      queryCost,
      writeCount,
      publicAnswer,
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginLandingPageLocalDefault({
        footer: false,
        embed: { runTelemetry: false, initialState: { pollForSchemaUpdates: false } },
      }),
    ],
  });
}
