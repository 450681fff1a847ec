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
import { createCompiledExecution } from './compiled-execution.ts';
import { type ApolloContext, truncate } from './errors.ts';
import { referenceDirective } from './types/access.ts';

export const maxDocumentErrors = 5;

const maxNameLength = 100;

/** Executes operations in place of Apollo. With its hook `responseForOperation`, errors would not be formatted. */
export function createExecution(schema: GraphQLSchema, maxCost: number): GatewayInterface {
  const executeCompiled = createCompiledExecution(schema);

  async function executor(requestContext: GatewayGraphQLRequestContext): Promise<ExecutionResult> {
    const { document, operation, request, queryHash } = requestContext;
    const { variables: variableValues = {}, operationName, http } = request;
    const apolloContext = requestContext.context as ApolloContext;
    const { context } = apolloContext;
    const args = { schema, document, operationName, contextValue: context, variableValues };
    // `execute` reports the unknown operation.
    if (operation === undefined) return execute(args);

    const { name, operation: type, variableDefinitions = [] } = operation;
    const { coerced, errors } = getVariableValues(schema, variableDefinitions, variableValues, {
      maxErrors: maxDocumentErrors,
      hideSuggestions: true,
    });
    const directFields = listDirectFields(operation.selectionSet);
    context.endpoint = toEndpoint(operation, directFields);
    if (coerced === undefined) {
      await countWrites(context, type, directFields.length);
      return { errors };
    }
    const selection = createSelection(schema, document, operation, coerced);
    const rootFields = [...selection.fields.values()].flatMap(([field]) => field?.name.value ?? []);
    context.endpoint = toEndpoint(operation, rootFields);
    context.isCacheable = type === 'query' && rootFields.every(isReferenceField);
    const endTrace = context.trace?.operation(type, name && toLogName(name.value));
    try {
      const { cost, fieldCount } = await checkOperation(apolloContext, selection);
      // Compiles for partners alone, because it takes time and memory.
      const run = async () =>
        context.partner === undefined ? execute(args) : executeCompiled(args, queryHash, fieldCount);
      const result = await context.admission.run(context.isCacheable ? 0 : cost, run);
      if (context.isCacheable && http?.method === 'GET' && result.errors === undefined) {
        context.response.setHeader('Cache-Control', context.referenceCacheControl);
      }
      return result;
    } finally {
      endTrace?.();
    }
  }

  /** Counts the writes and returns the cost. Throws if an argument is invalid or the caller may not use this cost. */
  async function checkOperation(apolloContext: ApolloContext, selection: Selection) {
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
      // A client whose token expired needs a new token, not a smaller document.
      const needsToken = isAnonymous && !context.isCacheable && cost <= maxCost;
      throw needsToken ? new AppError('unauthenticated') : limitError({ limit: 'cost', max, found: cost });
    }
    // Only a valid token allows more, and its lookup failed.
    if (failure !== undefined && cost > maxPublicCost) throw failure;
    return measured;
  }

  // Without a valid token nothing is written, and the request counts as a read of its address.
  async function countWrites(context: RequestContext, type: OperationTypeNode, writes: number): Promise<void> {
    const caller = type === 'mutation' ? await context.authenticate().catch(() => undefined) : undefined;
    if (caller !== undefined) await context.countWrites(writes);
  }

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

function listDirectFields({ selections }: SelectionSetNode): string[] {
  return selections.flatMap((selection) => (selection.kind === Kind.FIELD ? selection.name.value : []));
}

function toEndpoint({ operation: type, name }: OperationDefinitionNode, rootFields: readonly string[]): Endpoint {
  const fields = [...new Set(rootFields)];
  return {
    surface: 'graphql',
    // The schema bounds field names, but clients choose operation names.
    route: `${type} ${fields.length === 1 ? fields[0] : '(several)'}`,
    operation: `${type} ${toLogName(name?.value ?? `{ ${fields.join(' ')} }`)}`,
  };
}

// A client may use any text as a name, even its token.
function toLogName(name: string): string {
  return truncate(redactTokens(name), maxNameLength);
}
