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
  const known = new LRUCache<string, Compiled | 'once' | 'interpreted'>({
    maxSize: memoryBounds.compiledDocuments,
    sizeCalculation: (value, key) =>
      2 * key.length + entryOverhead + (typeof value === 'object' ? value.selections * bytesPerSelection : 0),
  });

  function compile(document: DocumentNode, operationName: string | null): Compiled | 'interpreted' {
    const { selections } = shapeOf(document);
    const { isCompilable, hasEnum } = featuresOf(schema, document);
    if (selections > maxSelections || !isCompilable) return 'interpreted';
    // Only enum values differ between the code and the response; serializing the others would take most of the time.
    const result = compileQuery(schema, document, operationName ?? '', { disableLeafSerialization: !hasEnum });
    return isCompiledQuery(result) ? { query: result.query, selections } : 'interpreted';
  }

  function findCompiled(document: DocumentNode, operationName: string | null, hash: string): Compiled | undefined {
    const key = `${hash} ${operationName}`;
    let entry = known.get(key);
    if (entry === undefined || entry === 'once') {
      entry = entry === undefined ? 'once' : compile(document, operationName);
      known.set(key, entry);
    }
    return typeof entry === 'object' ? entry : undefined;
  }

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
          const compiled = operation && findCompiled(document, operationName, queryHash);
          let failure: Error | undefined;
          let result: ExecutionResult;
          try {
            const { operationName: name } = request;
            result = compiled
              ? asGraphQL(await compiled.query(undefined, contextValue, variableValues))
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
