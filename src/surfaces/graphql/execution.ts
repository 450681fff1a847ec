import type { GatewayGraphQLRequestContext, GatewayInterface } from '@apollo/server-gateway-interface';
import { collectFields, getDefinedRootType } from '@graphql-tools/utils';
import {
  type ExecutionResult,
  execute,
  type GraphQLSchema,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
} from 'graphql';
import { referenceDirective } from '../../domain/request/access.ts';
import type { RequestContext } from '../../domain/request/context.ts';
import { inLargeLane } from '../../domain/request/lanes.ts';
import type { Endpoint } from '../../kernel/request/scope.ts';
import { redactTokens } from '../../kernel/token.ts';
import { declarePublic } from '../../platform/http/response-cache.ts';
import { compiledExecution } from './compiled-execution.ts';
import { costOf } from './cost.ts';
import { limitError } from './document-limits.ts';
import { shorten } from './errors.ts';

/** Maximum number of errors reported about a document or its variables. */
export const maxErrors = 5;

/** Maximum cost of an operation without a live token. */
const anonymousMaxCost = 15_000;

/** Maximum length of an operation's name in logs, in characters. */
const maxNameLength = 100;

/**
 * Executes valid operations through Apollo's interface for gateways. Reports them to logs, metrics and traces, declares
 * whether responses are public, rejects operations that cost more than their caller may use, and counts mutations
 * against the caller's rate limits.
 */
export function createExecution(schema: GraphQLSchema, maxCost: number): GatewayInterface {
  const executeCompiled = compiledExecution(schema);

  async function executor(requestContext: GatewayGraphQLRequestContext): Promise<ExecutionResult> {
    const { document, operation, request, queryHash } = requestContext;
    const { variables: variableValues = {}, operationName, http } = request;
    const context = requestContext.context as RequestContext;
    const args = { schema, document, operationName, contextValue: context, variableValues };
    // `execute` reports the unknown operation.
    if (operation === undefined) return execute(args);
    const { name, operation: type, variableDefinitions = [] } = operation;
    const { coerced, errors } = getVariableValues(schema, variableDefinitions, variableValues, {
      maxErrors,
      hideSuggestions: true,
    });
    // An operation with invalid variables does not run, but logs and rate limits count it.
    const assumed = Object.fromEntries(variableDefinitions.map(({ variable }) => [variable.name.value, false]));
    const fields = rootFieldsOf(requestContext, coerced ?? assumed);
    const isPublic = type === 'query' && fields.every(isReference);
    declarePublic(context.response, isPublic);
    const endTrace = context.scope.trace?.operation(type, name && loggable(name.value));
    try {
      context.scope.endpoint = endpointOf(operation, fields);
      const { cost, writes } =
        coerced === undefined ? { cost: 0, writes: fields.length } : await measure(requestContext, coerced);
      if (type === 'mutation') await context.countWrites(writes);
      const run = async () => (errors === undefined ? executeCompiled(args, queryHash) : { errors });
      const result = await (cost > anonymousMaxCost ? inLargeLane(context, run) : run());
      // As on REST: a shared cache may store the response, and revalidates its ETag before each use.
      if (isPublic && http?.method === 'GET' && result.errors === undefined) {
        context.response.setHeader('Cache-Control', context.referenceCacheControl);
      }
      return result;
    } finally {
      endTrace?.();
    }
  }

  /** Returns the cost and writes of an operation. Throws `query_too_complex` if its caller may not use this cost. */
  async function measure(
    { document, operation, ...requestContext }: GatewayGraphQLRequestContext,
    variables: Record<string, unknown>,
  ) {
    const { authenticate, reference } = requestContext.context as RequestContext;
    // Fields that need the caller report a failed lookup; reference data works without the database.
    const caller = await authenticate().catch(() => undefined);
    const max = caller === undefined ? Math.min(anonymousMaxCost, maxCost) : maxCost;
    const rootType = getDefinedRootType(schema, operation.operation);
    const measured = costOf({ schema, document, operation, rootType, variables }, reference.lengths, max);
    if (measured.cost > max) throw limitError({ limit: 'cost', max, found: measured.cost });
    return measured;
  }

  /** Whether a root field is the same for every caller: introspection or reference data. */
  function isReference(name: string): boolean {
    const directives = schema.getQueryType()?.getFields()[name]?.astNode?.directives ?? [];
    return name.startsWith('__') || directives.some((directive) => directive.name.value === referenceDirective.name);
  }

  return {
    load: async () => ({ executor }),
    onSchemaLoadOrUpdate(callback) {
      callback({ apiSchema: schema, coreSupergraphSdl: '' });
      return () => {};
    },
    async stop() {},
  };
}

/** The names of an operation's root fields, repeated for each alias. */
function rootFieldsOf(
  { schema, document, operation }: GatewayGraphQLRequestContext,
  coerced: Record<string, unknown>,
): string[] {
  const fragments = document.definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  const { fields } = collectFields(
    schema,
    Object.fromEntries(fragments.map((fragment) => [fragment.name.value, fragment])),
    { coerced, sources: {} },
    getDefinedRootType(schema, operation.operation),
    operation.selectionSet,
  );
  return [...fields.values()].flatMap(([field]) => field?.name.value ?? []);
}

function endpointOf({ operation: type, name }: OperationDefinitionNode, rootFields: readonly string[]): Endpoint {
  const fields = [...new Set(rootFields)];
  return {
    surface: 'graphql',
    // Use field names, which the schema bounds, and not operation names, which clients choose.
    route: `${type} ${fields.length === 1 ? fields[0] : '(several)'}`,
    operation: `${type} ${loggable(name?.value ?? `{ ${fields.join(' ')} }`)}`,
  };
}

// A client may use any text as a name, even its token.
function loggable(name: string): string {
  return shorten(redactTokens(name), maxNameLength);
}
