import type { GatewayGraphQLRequestContext, GatewayInterface } from '@apollo/server-gateway-interface';
import {
  type ExecutionResult,
  execute,
  type GraphQLSchema,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
  type OperationTypeNode,
  type SelectionSetNode,
} from 'graphql';
import { AppError } from '../../kernel/errors/app-error.ts';
import type { Endpoint } from '../../kernel/request/scope.ts';
import { redactTokens } from '../../kernel/token.ts';
import type { RequestContext } from '../request/context.ts';
import {
  calculateCost,
  checkArguments,
  createSelection,
  limitError,
  maxPublicCost,
  type Selection,
} from '../request/cost.ts';
import { compiledExecution } from './compiled-execution.ts';
import { type ApolloContext, shorten } from './errors.ts';
import { referenceDirective } from './types/access.ts';

export const maxDocumentErrors = 5;

const maxNameLength = 100;

/**
 * Executes valid operations in place of Apollo, through its interface for gateways; nothing is federated. It is the only hook
 * in which the checks of an operation, its run, interpreted or compiled, and its end are in one place: for a response of the
 * plugin hook `responseForOperation`, Apollo skips `executionDidEnd` and does not format errors.
 */
export function createExecution(schema: GraphQLSchema, maxCost: number): GatewayInterface {
  const executeCompiled = compiledExecution(schema);

  async function executor(requestContext: GatewayGraphQLRequestContext): Promise<ExecutionResult> {
    const { document, operation, request, queryHash } = requestContext;
    const { variables: variableValues = {}, operationName, http } = request;
    const apolloContext = requestContext.context as ApolloContext;
    const { context } = apolloContext;
    const args = { schema, document, operationName, contextValue: context, variableValues };
    // `execute` reports the unknown operation.
    if (operation === undefined) return execute(args);

    // The checks: variables, cost, rate limits and arguments. They name the operation for its log line, metrics and trace.
    const { name, operation: type, variableDefinitions = [] } = operation;
    const { coerced, errors } = getVariableValues(schema, variableDefinitions, variableValues, {
      maxErrors: maxDocumentErrors,
      hideSuggestions: true,
    });
    const named = namedFields(operation.selectionSet);
    context.endpoint = toEndpoint(operation, named);
    if (coerced === undefined) {
      await countWrites(context, type, named.length);
      return { errors };
    }
    const selection = createSelection(schema, document, operation, coerced);
    const rootFields = [...selection.fields.values()].flatMap(([field]) => field?.name.value ?? []);
    context.endpoint = toEndpoint(operation, rootFields);
    context.isCacheable = type === 'query' && rootFields.every(isReferenceField);
    const endTrace = context.trace?.operation(type, name && loggable(name.value));
    try {
      const { cost, fieldCount } = await measure(apolloContext, selection);

      // The run. Compiling takes time and memory, so it is for partners alone.
      const run = async () =>
        context.partner === undefined ? execute(args) : executeCompiled(args, queryHash, fieldCount);
      const result = await context.admission.run(context.isCacheable ? 0 : cost, run);

      // The end. As on REST: a shared cache may store the response, and revalidates its ETag before each use.
      if (context.isCacheable && http?.method === 'GET' && result.errors === undefined) {
        context.response.setHeader('Cache-Control', context.referenceCacheControl);
      }
      return result;
    } finally {
      endTrace?.();
    }
  }

  /**
   * The cost of an operation, whose writes it counts. Throws for invalid arguments, so that no part of it runs;
   * `query_too_complex` if its caller may not use this cost, `unauthenticated` if it also needs a token, or the error of a
   * failed lookup if the cost depends on the caller.
   */
  async function measure(apolloContext: ApolloContext, selection: Selection) {
    const { context } = apolloContext;
    let failure: unknown;
    const caller = await context.authenticate().catch((error) => {
      failure = error;
    });
    const isAnonymous = caller === undefined && failure === undefined;
    const max = isAnonymous || context.isCacheable ? Math.min(maxPublicCost, maxCost) : maxCost;
    const measured = calculateCost(selection, context.reference.lengths);
    const { cost, writes, checks } = measured;
    apolloContext.cost = { used: cost, max };
    await countWrites(context, selection.type, writes);
    checkArguments(context, checks);
    if (cost > max) {
      // The client of an expired token needs a new one, not a smaller document.
      const needsToken = isAnonymous && !context.isCacheable && cost <= maxCost;
      throw needsToken ? new AppError('unauthenticated') : limitError({ limit: 'cost', max, found: cost });
    }
    // Only a live token may use more, and this lookup failed.
    if (failure !== undefined && cost > maxPublicCost) throw failure;
    return measured;
  }

  /** Without a live token nothing is written, and the request itself counts as a read of its address. */
  async function countWrites(context: RequestContext, type: OperationTypeNode, writes: number): Promise<void> {
    const caller = type === 'mutation' ? await context.authenticate().catch(() => undefined) : undefined;
    if (caller !== undefined) await context.countWrites(writes);
  }

  /** Whether a root field is the same for every caller: introspection or reference data. */
  function isReferenceField(name: string): boolean {
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

/** The fields that a selection names itself, without fragments. */
function namedFields({ selections }: SelectionSetNode): string[] {
  return selections.flatMap((selection) => (selection.kind === Kind.FIELD ? selection.name.value : []));
}

function toEndpoint({ operation: type, name }: OperationDefinitionNode, rootFields: readonly string[]): Endpoint {
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
