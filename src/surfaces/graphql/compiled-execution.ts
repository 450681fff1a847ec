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

/** Most documents that are kept compiled, and most characters that they are known by: a name may be as long as a request. */
const maxCompiled = 500;
const maxKeys = 1_000_000;

/**
 * Executes operations by functions that graphql-jit compiles for their documents, through the interface by which Apollo
 * lets another execute. Answers are those of graphql-js, whose part it is to coerce variables and to tell what is wrong.
 */
export function compiledExecution(schema: GraphQLSchema, maxErrors: number): GatewayInterface {
  // Compiling takes longer than executing once: a document is compiled when it comes again.
  const known = new LRUCache<string, CompiledQuery | 'once'>({
    max: maxCompiled,
    maxSize: maxKeys,
    sizeCalculation: (_, key) => key.length,
  });

  const compiled = (document: DocumentNode, operationName: string | null, key: string): CompiledQuery | undefined => {
    const before = known.get(key);
    if (typeof before === 'object') return before;
    known.set(key, 'once');
    if (before === undefined) return undefined;
    const { hasOddVariable, hasEnum } = featuresOf(schema, document);
    if (hasOddVariable) return undefined;
    // The values of fields have their types already, all but those of enums: to coerce them takes longer than all else.
    const result = compileQuery(schema, document, operationName ?? '', { disableLeafSerialization: !hasEnum });
    if (!isCompiledQuery(result)) return undefined;
    known.set(key, result);
    return result;
  };

  return {
    async load() {
      return {
        async executor({ document, operation, operationName, queryHash, request, context: contextValue }) {
          const variableValues = request.variables ?? {};
          const definitions = operation?.variableDefinitions ?? [];
          const { errors } = getVariableValues(schema, definitions, variableValues, { maxErrors });
          if (errors !== undefined) return { errors };
          const key = `${queryHash} ${operationName}`;
          const query = operation && compiled(document, operationName, key);
          if (!query) {
            return execute({ schema, document, operationName: request.operationName, contextValue, variableValues });
          }
          return asGraphQL(await query.query(undefined, contextValue, variableValues));
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

interface Features {
  /**
   * A variable within the literal of a custom scalar, such as a representation of a federation, has no type of its own: the
   * compiled functions would leave it out. One that is called as what every object has would never be missing to them.
   */
  hasOddVariable: boolean;
  /** Whether a field is selected whose values are called otherwise than in the code. */
  hasEnum: boolean;
}

function featuresOf(schema: GraphQLSchema, document: DocumentNode): Features {
  const types = new TypeInfo(schema);
  const features = { hasOddVariable: false, hasEnum: false };
  const visitor = visitWithTypeInfo(types, {
    Variable({ name }) {
      features.hasOddVariable ||= types.getInputType() == null || name.value === '__proto__';
    },
    Field() {
      features.hasEnum ||= isEnumType(getNamedType(types.getType()));
    },
  });
  visit(document, visitor);
  return features;
}

// The compiled functions make errors of a class of their own.
function asGraphQL({ data, errors }: ExecutionResult): ExecutionResult {
  if (errors === undefined) return { data: data ?? null };
  return { data: data ?? null, errors: errors.map(toGraphQLError) };
}

function toGraphQLError({ message, path, locations, originalError }: GraphQLError): GraphQLError {
  const error = new GraphQLError(message, { path: path ?? null, originalError: originalError ?? null });
  return Object.defineProperty(error, 'locations', { value: locations, enumerable: true });
}
