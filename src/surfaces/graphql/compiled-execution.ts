import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  GraphQLError,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  Kind,
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

/** Executes operations, identified by the hash of their document, as functions that graphql-jit compiles. */
export function compiledExecution(schema: GraphQLSchema) {
  // Compiling takes longer than executing once, so a document is compiled when it comes again.
  const known = new LRUCache<string, Compiled | 'once' | 'interpreted'>({
    maxSize: memoryBounds.compiledDocuments,
    sizeCalculation: (value, key) =>
      2 * key.length + entryOverhead + (typeof value === 'object' ? value.selections * bytesPerSelection : 0),
  });

  function compile(document: DocumentNode, operationName: string): Compiled | 'interpreted' {
    const { selections } = shapeOf(document);
    const { isCompilable, hasEnum } = featuresOf(schema, document);
    if (selections > maxSelections || !isCompilable) return 'interpreted';
    // Only enum values differ between the code and the response; serializing the others would take most of the time.
    const result = compileQuery(schema, document, operationName, { disableLeafSerialization: !hasEnum });
    return isCompiledQuery(result) ? { query: result.query, selections } : 'interpreted';
  }

  return async (args: ExecutionArgs, hash: string): Promise<ExecutionResult> => {
    const { document, operationName, contextValue, variableValues } = args;
    const key = `${hash} ${operationName}`;
    let entry = known.get(key);
    if (entry === undefined || entry === 'once') {
      entry = entry === undefined ? 'once' : compile(document, operationName ?? '');
      known.set(key, entry);
    }
    if (typeof entry === 'string') return execute(args);
    const { data, errors } = await entry.query(undefined, contextValue, variableValues);
    return { data: data ?? null, ...(errors && { errors: errors.map(toGraphQLError) }) };
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
    // Nor does it accept that a variable is absent that must not be null but has a default.
    VariableDefinition({ type, defaultValue }) {
      if (type.kind === Kind.NON_NULL_TYPE && defaultValue !== undefined) features.isCompilable = false;
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
function toGraphQLError({ message, path, locations, originalError }: GraphQLError): GraphQLError {
  const error = new GraphQLError(message, { path: path ?? null, originalError: originalError ?? null });
  return Object.defineProperty(error, 'locations', { value: locations, enumerable: true });
}
