import type { Response } from 'express';
import { type DocumentNode, execute, type GraphQLSchema, getOperationAST, parse } from 'graphql';
import type { CreateContext } from '../../domain/request/context.ts';
import type { TypedDocumentString } from './documents.generated.ts';

export type RunDocument = ReturnType<typeof createRunDocument>;

/**
 * Executes the document of a REST request, identified by its response, on the schema of the GraphQL API: the same resolvers,
 * authorization and rules. Throws the first error as a resolver threw it.
 */
export function createRunDocument(schema: GraphQLSchema, createContext: CreateContext) {
  const documents = new Map<string, DocumentNode>();

  /** Type checked when its types were generated, so it needs no validation. */
  function parsed(text: string): DocumentNode {
    const document = documents.get(text) ?? parse(text, { noLocation: true });
    documents.set(text, document);
    return document;
  }

  return async <Data, Variables extends Record<string, unknown>>(
    response: Response,
    typedDocument: TypedDocumentString<Data, Variables>,
    variableValues: Variables,
  ): Promise<Data> => {
    const document = parsed(typedDocument.toString());
    const { operation, name } = getOperationAST(document) ?? {};
    const contextValue = createContext(response);
    const endTrace = contextValue.scope.trace?.operation(operation ?? '', name?.value);
    try {
      const { data, errors: [error] = [] } = await execute({ schema, document, variableValues, contextValue });
      if (error !== undefined) throw error.originalError ?? error;
      return data as Data;
    } finally {
      endTrace?.();
    }
  };
}
