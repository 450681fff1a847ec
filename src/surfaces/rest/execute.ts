import type { GraphQLResponse } from '@apollo/server';
import type { Response } from 'express';
import type { RequestContext } from '../../domain/request/context.ts';
import type { CreateContext } from '../../domain/request/context-factory.ts';
import { AppError } from '../../kernel/errors/app-error.ts';
import { graphqlCodeOf, type RequestErrorCode, requestErrors } from '../../kernel/errors/catalog.ts';
import type { TypedDocumentString } from './documents.generated.ts';

/** An error that GraphQL has answered, and logged, already. */
export class AnsweredError extends AppError {}

/** Executes a GraphQL document for a REST request, known by its response. Throws what GraphQL answered as a top-level error. */
export type Execute = <Data, Variables extends Record<string, unknown>>(
  response: Response,
  document: TypedDocumentString<Data, Variables>,
  variables: Variables,
) => Promise<Data>;

const codes = new Map(
  (Object.keys(requestErrors) as RequestErrorCode[]).map((code) => [graphqlCodeOf(code) as unknown, code]),
);

/** What executes the documents of REST: the Apollo server. */
export interface DocumentServer {
  executeOperation(
    operation: { query: string; variables: Record<string, unknown> },
    options: { contextValue: RequestContext },
  ): Promise<GraphQLResponse>;
}

/** In process, through the same server as the GraphQL surface: same resolvers, authorization and limits. */
export function createExecute(server: DocumentServer, createContext: CreateContext): Execute {
  return async <Data, Variables extends Record<string, unknown>>(
    response: Response,
    document: TypedDocumentString<Data, Variables>,
    variables: Variables,
  ) => {
    const { body } = await server.executeOperation(
      { query: document.toString(), variables },
      { contextValue: createContext(response) },
    );
    if (body.kind !== 'single') throw new Error('a REST document asks for one answer');
    const { data, errors } = body.singleResult;
    const [error] = errors ?? [];
    if (error === undefined) return data as Data;
    const code = codes.get(error.extensions?.code);
    // What GraphQL has against the document or its variables is our mistake, not the caller's.
    if (code === undefined || code === 'invalid_parameter') throw new Error(`a REST document failed: ${error.message}`);
    throw new AnsweredError(code);
  };
}
