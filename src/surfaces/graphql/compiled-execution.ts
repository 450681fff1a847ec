import {
  type ASTNode,
  BREAK,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  OperationTypeNode,
  visit,
} from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';
import { LRUCache } from 'lru-cache';
import { entryOverhead, memoryBounds } from '../../kernel/memory-bounds.ts';

/** In characters. Compiling longer documents takes long, and few of them fill the cache. */
const maxLength = 4_000;

/** After fragments are expanded: graphql-jit generates code for each field. */
const maxCompiledFields = 200;

// Memory of a compiled document with its parsed form.
const bytesPerCharacter = 200;
const bytesPerField = 3_000;

interface Compiled {
  query: CompiledQuery['query'];
  size: number;
}

/** Executes operations through functions that graphql-jit compiles, cached by the hash of their document. */
export function createCompiledExecution(schema: GraphQLSchema) {
  // Compiles at the second use, because compiling takes longer than executing once.
  const cache = new LRUCache<string, Compiled | 'once' | 'interpreted'>({
    maxSize: memoryBounds.compiledDocuments,
    sizeCalculation: (value, key) => 2 * key.length + entryOverhead + (typeof value === 'object' ? value.size : 0),
  });

  function compile(document: DocumentNode, operationName: string, fields: number): Compiled | 'interpreted' {
    const length = document.loc?.end ?? Number.POSITIVE_INFINITY;
    if (length > maxLength || !isCompilable(document)) return 'interpreted';
    const result = compileQuery(schema, document, operationName);
    const size = length * bytesPerCharacter + fields * bytesPerField;
    return isCompiledQuery(result) ? { query: result.query, size } : 'interpreted';
  }

  return async (args: ExecutionArgs, hash: string, fields: number): Promise<ExecutionResult> => {
    if (fields > maxCompiledFields) return execute(args);
    const { document, operationName, contextValue, variableValues } = args;
    const key = `${hash} ${operationName}`;
    let entry = cache.get(key);
    if (entry === undefined || entry === 'once') {
      entry = entry === undefined ? 'once' : compile(document, operationName ?? '', fields);
      cache.set(key, entry);
    }
    if (typeof entry === 'string') return execute(args);
    const { data, errors } = await entry.query(undefined, contextValue, variableValues);
    return { data: data ?? null, ...(errors && { errors: keepFirstPerNull(data, errors).map(toGraphQLError) }) };
  };
}

/** Whether graphql-jit executes a document exactly as graphql-js does. */
function isCompilable(document: DocumentNode): boolean {
  let isSupported = true;
  const reject = () => {
    isSupported = false;
    return BREAK;
  };
  visit(document, {
    OperationDefinition: ({ operation }) => (operation === OperationTypeNode.QUERY ? undefined : reject()),
    VariableDefinition: ({ defaultValue }) => (defaultValue === undefined ? undefined : reject()),
    // With @skip and @include, graphql-jit orders the fields of a response differently.
    Directive: reject,
    // Introspection takes long to compile; names such as `constructor` exist on every object.
    Name: ({ value }) => ((value.startsWith('__') && value !== '__typename') || value in {} ? reject() : undefined),
    // graphql-jit cannot handle an absent variable inside a literal.
    Argument: ({ value }) => (value.kind === Kind.VARIABLE ? false : undefined),
    Variable: (_node, _key, parent) => ((parent as ASTNode).kind === Kind.VARIABLE_DEFINITION ? undefined : reject()),
  });
  return isSupported;
}

/** graphql-jit reports an error for each field below a null, graphql-js only the first. */
function keepFirstPerNull(data: unknown, errors: readonly GraphQLError[]): GraphQLError[] {
  const nulls = new Set<string>();
  return errors.filter(({ path }) => {
    if (path === undefined) return true;
    let [value, depth] = [data as Record<string, unknown> | null | undefined, 0];
    for (; value != null && depth < path.length; depth += 1) value = value[path[depth] as string] as typeof value;
    const nullPath = path.slice(0, depth).join('.');
    const isFirst = !nulls.has(nullPath);
    nulls.add(nullPath);
    return isFirst;
  });
}

// graphql-jit has its own error class.
function toGraphQLError({ message, path, locations, originalError }: GraphQLError): GraphQLError {
  const error = new GraphQLError(message, { path: path ?? null, originalError: originalError ?? null });
  return Object.defineProperty(error, 'locations', { value: locations, enumerable: true });
}
