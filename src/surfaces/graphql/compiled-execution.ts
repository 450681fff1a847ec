import type { GatewayInterface } from '@apollo/server-gateway-interface';
import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  GraphQLError,
  type GraphQLSchema,
  getNamedType,
  getVariableValues,
  isEnumType,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';
import { LRUCache } from 'lru-cache';
import { entryOverhead, memoryBounds } from '../../kernel/memory-bounds.ts';
import { shapeOf } from './document-limits.ts';

/** Larger documents are interpreted: compiling them takes long, and few would fill the cache. */
const maxSelections = 150;

/** Bytes of a compiled selection, its part of the document included: up to 7,500 measured. */
const bytesPerSelection = 8_000;

interface Compiled {
  query: CompiledQuery['query'];
  selections: number;
}

/**
 * Executes operations as functions that graphql-jit compiles from their documents, through the interface that Apollo offers
 * to gateways. graphql-js coerces the variables, so errors are the same.
 */
export function compiledExecution(schema: GraphQLSchema, maxErrors: number): GatewayInterface {
  // Compiling takes longer than executing once, so a document is compiled when it comes again.
  const known = new LRUCache<string, Compiled | 'once'>({
    maxSize: memoryBounds.compiledDocuments,
    sizeCalculation: (value, key) =>
      2 * key.length + entryOverhead + (value === 'once' ? 0 : value.selections * bytesPerSelection),
  });

  const compiled = (document: DocumentNode, operationName: string | null, key: string): Compiled | undefined => {
    const before = known.get(key);
    if (typeof before === 'object') return before;
    known.set(key, 'once');
    const { selections } = shapeOf(document);
    if (before === undefined || selections > maxSelections) return undefined;
    const { isCompilable, hasEnum } = featuresOf(schema, document);
    if (!isCompilable) return undefined;
    // Only enum values differ between the code and the response; serializing the others would take most of the time.
    const result = compileQuery(schema, document, operationName ?? '', { disableLeafSerialization: !hasEnum });
    if (!isCompiledQuery(result)) return undefined;
    const entry = { query: result.query, selections };
    known.set(key, entry);
    return entry;
  };

  return {
    async load() {
      return {
        async executor({ document, operation, operationName, queryHash, request, context: contextValue }) {
          const variableValues = request.variables ?? {};
          const definitions = operation?.variableDefinitions ?? [];
          const { errors } = getVariableValues(schema, definitions, variableValues, {
            maxErrors,
            hideSuggestions: true,
          });
          if (errors !== undefined) return { errors };
          const key = `${queryHash} ${operationName}`;
          const query = operation && compiled(document, operationName, key);
          let failure: Error | undefined;
          let result: ExecutionResult;
          try {
            const { operationName: name } = request;
            result = query
              ? asGraphQL(await query.query(undefined, contextValue, variableValues))
              : await execute({ schema, document, operationName: name, contextValue, variableValues });
          } finally {
            failure = contextValue.loaders.end();
          }
          // Its further lists were left empty.
          if (failure === undefined) return result;
          return { data: null, errors: [new GraphQLError(failure.message, { originalError: failure })] };
        },
      };
    },
    onSchemaLoadOrUpdate(callback) {
      callback({ apiSchema: schema, coreSupergraphSdl: '' });
      return () => {};
    },
    async stop() {},
  };
}

/** Whether graphql-jit executes a document as graphql-js does, and whether it selects an enum. */
function featuresOf(schema: GraphQLSchema, document: DocumentNode): { isCompilable: boolean; hasEnum: boolean } {
  const types = new TypeInfo(schema);
  const features = { isCompilable: true, hasEnum: false };
  const visitor = visitWithTypeInfo(types, {
    // graphql-jit ignores a variable within the literal of a custom scalar, and loses the name `__proto__`.
    Variable({ name }) {
      if (types.getInputType() == null || name.value === '__proto__') features.isCompilable = false;
    },
    Field({ alias }) {
      if (alias?.value === '__proto__') features.isCompilable = false;
      features.hasEnum ||= isEnumType(getNamedType(types.getType()));
    },
  });
  visit(document, visitor);
  return features;
}

// graphql-jit has an error class of its own.
function asGraphQL({ data, errors }: ExecutionResult): ExecutionResult {
  if (errors === undefined) return { data: data ?? null };
  return { data: data ?? null, errors: errors.map(toGraphQLError) };
}

function toGraphQLError({ message, path, locations, originalError }: GraphQLError): GraphQLError {
  const error = new GraphQLError(message, { path: path ?? null, originalError: originalError ?? null });
  return Object.defineProperty(error, 'locations', { value: locations, enumerable: true });
}
