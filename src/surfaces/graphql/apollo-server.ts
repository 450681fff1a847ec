import { ApolloServer, type DocumentStore } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled';
import type { DocumentNode, GraphQLSchema } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { entryOverhead, memoryBounds } from '../../kernel/memory-bounds.ts';
import { type DocumentLimits, structureRule } from './document-limits.ts';
import { type ApolloContext, createErrorFormatter, reportedCost, responseStatus } from './errors.ts';
import { createExecution, maxDocumentErrors } from './execution.ts';

export type GraphQLServer = ApolloServer<ApolloContext>;

interface Options {
  introspection: boolean;
  documentLimits: DocumentLimits;
}

export function createGraphQLServer(schema: GraphQLSchema, options: Options, log: Logger): GraphQLServer {
  const { documentLimits: limits } = options;
  return new ApolloServer<ApolloContext>({
    // The only interface for an executor of one's own; nothing is federated.
    gateway: createExecution(schema, limits.cost),
    introspection: options.introspection,
    // No cookies or other ambient credentials: another site gains nothing by sending a request.
    csrfPrevention: false,
    documentStore: createDocumentStore(),
    persistedQueries: { cache: createPersistedQueries() },
    allowBatchedHttpRequests: false,
    includeStacktraceInErrorResponses: false,
    logger: log,
    stopOnTerminationSignals: false,
    parseOptions: { maxTokens: limits.tokens },
    validationRules: [structureRule(limits)],
    validationOptions: { maxErrors: maxDocumentErrors, hideSuggestions: true },
    formatError: createErrorFormatter(log, limits),
    plugins: [
      responseStatus,
      reportedCost,
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginLandingPageDisabled(),
    ],
  });
}

/** Memory of a parsed document, in bytes per character of its text; measured up to 241. */
const bytesPerCharacter = 250;

/** The cache of valid documents. Apollo's default counts their JSON, a tenth of their size in memory. */
function createDocumentStore(): DocumentStore {
  const documents = new LRUCache<string, DocumentNode>({
    maxSize: memoryBounds.documents,
    sizeCalculation: ({ loc }, key) => bytesPerCharacter * (loc?.end ?? 0) + 2 * key.length + entryOverhead,
  });
  return createStore(documents);
}

/** Memory of the largest persisted query, in bytes: anyone may store documents, and typical ones have 16,384 characters. */
const maxPersistedSize = 33_000;

/**
 * Apollo's cache of automatic persisted queries, which clients request by SHA-256 hash. Each process stores its own;
 * after a miss, the client sends the document with its hash.
 */
function createPersistedQueries() {
  const known = new LRUCache<string, string>({
    maxSize: memoryBounds.persistedQueries,
    sizeCalculation: (text, key) => 2 * (text.length + key.length) + entryOverhead,
    maxEntrySize: maxPersistedSize,
  });
  return createStore(known);
}

/** A cache as Apollo calls one. */
function createStore<Value extends object | string>(cache: LRUCache<string, Value>) {
  return {
    get: async (key: string) => cache.get(key),
    set: async (key: string, value: Value) => void cache.set(key, value),
    delete: async (key: string) => cache.delete(key),
  };
}
