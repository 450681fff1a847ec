import type { ApolloServer } from '@apollo/server';
import type { Response } from 'express';
import type { CreateContext, RequestContext } from '../../domain/request/context.ts';
import { AppError } from '../../kernel/errors/app-error.ts';
import { type RequestErrorCode, requestErrors } from '../../kernel/errors/catalog.ts';
import type { TypedDocumentString } from './documents.generated.ts';

/** The part of the Apollo server that REST uses. */
export type DocumentServer = Pick<ApolloServer<RequestContext>, 'executeOperation'>;

export type Execute = ReturnType<typeof createExecute>;

/**
 * Executes the document of a REST request, identified by its response, in the server of the GraphQL surface: same resolvers,
 * authorization and limits. Throws the first top-level error.
 */
export function createExecute(server: DocumentServer, createContext: CreateContext) {
  return async <Data, Variables extends Record<string, unknown>>(
    response: Response,
    document: TypedDocumentString<Data, Variables>,
    variables: Variables,
  ): Promise<Data> => {
    const operation = { query: document.toString(), variables };
    const { body } = await server.executeOperation(operation, { contextValue: createContext(response) });
    if (body.kind !== 'single') throw new Error('REST documents have no incremental responses');
    const { data, errors: [error] = [] } = body.singleResult;
    if (error === undefined) return data as Data;
    const code = String(error.extensions?.code).toLowerCase();
    // An error about the document or its variables is a defect of this surface, which has checked its parameters.
    if (!Object.hasOwn(requestErrors, code)) throw new Error(`a REST document failed: ${error.message}`);
    // The GraphQL server has logged its cause.
    throw new AppError(code as RequestErrorCode);
  };
}
