import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import {
  execute,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  getVariableValues,
  type OperationDefinitionNode,
} from 'graphql';
import type { RequestContext } from '../request/context.ts';
import { calculateCost, checkArguments, createSelection } from '../request/cost.ts';

export type RunDocument = ReturnType<typeof createRunDocument>;

/** Executes the document of a REST route as GraphQL would, but without a maximum cost. Throws the first error. */
export function createRunDocument(schema: GraphQLSchema) {
  return async <Data, Variables extends Record<string, unknown>>(
    context: RequestContext,
    document: TypedDocumentNode<Data, Variables>,
    variableValues: Variables,
  ): Promise<Data> => {
    const operation = getOperationAST(document) as OperationDefinitionNode;
    const endTrace = context.trace?.operation(operation.operation, operation.name?.value);
    try {
      const { coerced = {} } = getVariableValues(schema, operation.variableDefinitions ?? [], variableValues);
      const selection = createSelection(schema, document, operation, coerced);
      const { ids, writes, checks } = calculateCost(selection, context.reference.lengths);
      // The rate limit middleware has counted the first.
      if (writes > 1) await context.countWrites(writes - 1);
      checkArguments(context, checks);
      const run = async () => execute({ schema, document, variableValues, contextValue: context });
      // The response is one tag, so only the ids make a write large.
      const result = await context.admission.run(ids, run);
      if (result.errors?.[0]) throw result.errors[0];
      return result.data as Data;
    } catch (error) {
      throw error instanceof GraphQLError ? (error.originalError ?? error) : error;
    } finally {
      endTrace?.();
    }
  };
}
