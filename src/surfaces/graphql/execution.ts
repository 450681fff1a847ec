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

/** A document, or its variables, have at most so many errors in a response: enough to correct them. */
export const maxErrors = 5;

/** The highest cost of an operation without a live token: anyone may send it, again and again. */
const anonymousMaxCost = 15_000;

/** Longest name of an operation in logs, in characters. */
const maxNameLength = 100;

/**
 * Executes valid operations, through the interface that Apollo offers to gateways. Reports each to log lines, metrics and
 * traces, declares whether its response is public, rejects one that costs more than `maxCost`, or too much for a request
 * without a live token, and counts the fields of a mutation as writes against the caller's rate limits.
 */
export function createExecution(schema: GraphQLSchema, maxCost: number): GatewayInterface {
  const executeCompiled = compiledExecution(schema);

  async function executor(requestContext: GatewayGraphQLRequestContext): Promise<ExecutionResult> {
    const { document, operation, request, queryHash } = requestContext;
    const { variables: variableValues = {}, operationName, http } = request;
    const context = requestContext.context as RequestContext;
    const args = { schema, document, operationName, contextValue: context, variableValues };
    // It reports that the document has no such operation.
    if (operation === undefined) return execute(args);
    const { name, operation: type, variableDefinitions = [] } = operation;
    const { coerced, errors } = getVariableValues(schema, variableDefinitions, variableValues, {
      maxErrors,
      hideSuggestions: true,
    });
    // With invalid variables nothing runs, but it is reported and counted.
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
      // As on REST: a shared cache may store it, and revalidates it by its ETag before each use.
      if (isPublic && http?.method === 'GET' && result.errors === undefined) {
        context.response.setHeader('Cache-Control', context.referenceCacheControl);
      }
      return result;
    } finally {
      endTrace?.();
    }
  }

  /** The cost of an operation, and its writes. Throws `query_too_complex` if it costs more than its caller may use. */
  async function measure(
    { document, operation, ...requestContext }: GatewayGraphQLRequestContext,
    variables: Record<string, unknown>,
  ) {
    const { authenticate, reference } = requestContext.context as RequestContext;
    // Reference data outlives the database; what needs a caller reports the failure.
    const caller = await authenticate().catch(() => undefined);
    const max = caller === undefined ? Math.min(anonymousMaxCost, maxCost) : maxCost;
    const rootType = getDefinedRootType(schema, operation.operation);
    const measured = costOf({ schema, document, operation, rootType, variables }, reference.lengths, max);
    if (measured.cost > max) throw limitError({ limit: 'cost', max, found: measured.cost });
    return measured;
  }

  /** Whether a root field is the same for every caller: the schema's description, or what the schema marks as reference data. */
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

/** The names of an operation's root fields: one with several aliases several times. */
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
    // The schema bounds the number of fields; clients choose the names.
    route: `${type} ${fields.length === 1 ? fields[0] : '(several)'}`,
    operation: `${type} ${loggable(name?.value ?? `{ ${fields.join(' ')} }`)}`,
  };
}

// A client may use anything as a name, even its token.
function loggable(name: string): string {
  return shorten(redactTokens(name), maxNameLength);
}
