import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { execute, type GraphQLSchema, getOperationAST } from 'graphql';
import type { RequestContext } from '../request/context.ts';

export type RunDocument = ReturnType<typeof createRunDocument>;

/**
 * Executes the document of a REST route, which the code generator has validated, on the GraphQL schema: with the same
 * resolvers, authorization and rules of the domain, but without the cost and checks of `cost.ts`, which resolvers
 * repeat. Throws the first error of a resolver.
 */
export function createRunDocument(schema: GraphQLSchema) {
  return async <Data, Variables extends Record<string, unknown>>(
    contextValue: RequestContext,
    document: TypedDocumentNode<Data, Variables>,
    variableValues: Variables,
  ): Promise<Data> => {
    const { operation, name } = getOperationAST(document) ?? {};
    const endTrace = contextValue.trace?.operation(operation ?? '', name?.value);
    try {
      const { data, errors: [error] = [] } = await execute({ schema, document, variableValues, contextValue });
      if (error !== undefined) throw error.originalError ?? error;
      return data as Data;
    } finally {
      endTrace?.();
    }
  };
}
