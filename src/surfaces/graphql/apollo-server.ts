import { ApolloServer, type DocumentStore } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled';
import type { DocumentNode, GraphQLSchema } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { entryOverhead, memoryBounds } from '../../kernel/memory-bounds.ts';
import { createStructureRule, type DocumentLimits } from './document-limits.ts';
import { type ApolloContext, costPlugin, createErrorFormatter, statusPlugin } from './errors.ts';
import { createExecution, maxDocumentErrors } from './execution.ts';

export type GraphQLServer = ApolloServer<ApolloContext>;

interface Options {
  introspection: boolean;
  documentLimits: DocumentLimits;
}

export function createGraphQLServer(schema: GraphQLSchema, options: Options, log: Logger): GraphQLServer {
  const { documentLimits: limits } = options;
  return new ApolloServer<ApolloContext>({
    // Apollo's only interface for a custom executor; nothing is federated.
    gateway: createExecution(schema, limits.cost),
    introspection: options.introspection,
    // Requests carry no cookies, so another site gains nothing by sending one.
    csrfPrevention: false,
    documentStore: createDocumentStore(),
    persistedQueries: { cache: createPersistedQueries() },
    allowBatchedHttpRequests: false,
    includeStacktraceInErrorResponses: false,
    logger: log,
    stopOnTerminationSignals: false,
    parseOptions: { maxTokens: limits.tokens },
    validationRules: [createStructureRule(limits)],
    validationOptions: { maxErrors: maxDocumentErrors, hideSuggestions: true },
    formatError: createErrorFormatter(log, limits),
    plugins: [
      statusPlugin,
      costPlugin,
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginLandingPageDisabled(),
    ],
  });
}

/** Memory of a parsed document, in bytes per character of its text. */
const bytesPerCharacter = 250;

/** Apollo's default counts the JSON of documents, a tenth of their size in memory. */
function createDocumentStore(): DocumentStore {
  const documents = new LRUCache<string, DocumentNode>({
    maxSize: memoryBounds.documents,
    sizeCalculation: ({ loc }, key) => bytesPerCharacter * (loc?.end ?? 0) + 2 * key.length + entryOverhead,
  });
  return createStore(documents);
}

/** In bytes, for 16,384 characters. Anyone may store documents. */
const maxPersistedSize = 33_000;

/** Automatic persisted queries, for each process: after a miss, the client sends the document with its hash. */
function createPersistedQueries() {
  const queries = new LRUCache<string, string>({
    maxSize: memoryBounds.persistedQueries,
    sizeCalculation: (text, key) => 2 * (text.length + key.length) + entryOverhead,
    maxEntrySize: maxPersistedSize,
  });
  return createStore(queries);
}

function createStore<Value extends object | string>(cache: LRUCache<string, Value>) {
  return {
    get: async (key: string) => cache.get(key),
    set: async (key: string, value: Value) => void cache.set(key, value),
    delete: async (key: string) => cache.delete(key),
  };
}
