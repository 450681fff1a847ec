import type { Response } from 'express';
import { type DocumentNode, execute, type GraphQLSchema, getOperationAST, parse } from 'graphql';
import type { CreateContext } from '../../domain/request/context.ts';
import type { TypedDocumentString } from './documents.generated.ts';

export type RunDocument = ReturnType<typeof createRunDocument>;

/**
 * Executes the document of a REST route on the GraphQL schema, with the same resolvers, authorization and rules. Throws
 * the first error of a resolver. `response` identifies the request.
 */
export function createRunDocument(schema: GraphQLSchema, createContext: CreateContext) {
  const documents = new Map<string, DocumentNode>();

  /** The code generator has validated the document. */
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
