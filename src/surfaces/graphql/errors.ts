import type { ServerResponse } from 'node:http';
import type { ApolloServerPlugin } from '@apollo/server';
import { ApolloServerErrorCode } from '@apollo/server/errors';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import Negotiator from 'negotiator';
import type { Logger } from 'pino';
import { graphqlCodeOf, messageOf, statusOf } from '../../kernel/errors/catalog.ts';
import { logFailure, toAppError } from '../../kernel/errors/to-app-error.ts';
import { currentLocale, currentScope, noteCode } from '../../kernel/request/scope.ts';
import { respond } from '../../platform/http/response-cache.ts';

type FormatError = (formatted: GraphQLFormattedError, error: unknown) => GraphQLFormattedError;

/** Longest message, in characters: graphql-js quotes the whole value of a variable. */
const maxMessageLength = 500;

/** Formats top-level errors: GraphQL's own about the document as they are, all others by the error catalog. */
export function createErrorFormatter(log: Logger): FormatError {
  return (formatted, error) => {
    if (!isAboutDocument(error)) return { ...formatted, ...toFormatted(log, originalOf(error)) };
    const code = codeOf(error);
    noteCode(String(code));
    const message = shorten(formatted.message);
    return { ...formatted, message, extensions: { ...formatted.extensions, code, requestId: currentScope()?.id } };
  };
}

/** Sends an error of the request as a whole in GraphQL's format. */
export function sendError(log: Logger, response: ServerResponse, thrown: unknown): void {
  const error = toAppError(thrown);
  for (const [name, value] of Object.entries(error.headers)) response.setHeader(name, value);
  response.setHeader('Cache-Control', 'private, no-store');
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  respond(response, statusOf(error.code), JSON.stringify({ errors: [toFormatted(log, error)] }));
}

// The preferred one first. A client may also name the charset.
const json = 'application/json; charset=utf-8';
const responseJson = 'application/graphql-response+json; charset=utf-8';

/** The media type of a response, by the request's Accept header; undefined if the client accepts neither. */
export function negotiateMediaType(accept: string | undefined): string | undefined {
  // An empty header means the same as none.
  return new Negotiator({ headers: { accept: accept || undefined } }).mediaType([json, responseJson]);
}

/**
 * HTTP status of a document that is not executed: 400 as application/graphql-response+json, 200 as application/json (GraphQL
 * over HTTP, section 6.4).
 */
export function rejectedStatus(accept: string | undefined): number {
  return negotiateMediaType(accept) === responseJson ? 400 : 200;
}

/**
 * HTTP status of a GraphQL response. A document that does not parse, validate or coerce, or is beyond a limit, has the status
 * of its media type; a malformed request is 400, and an unknown persisted query 200. A response without data has the status of
 * the first error that is not about the caller's input.
 */
export const responseStatus: ApolloServerPlugin = {
  async requestDidStart({ request: { http } }) {
    return {
      async willSendResponse({ response, errors = [] }) {
        if (response.body.kind !== 'single' || response.body.singleResult.data) return;
        const [first] = errors;
        // Clients go on by the code, and expect 200 with it.
        if (first === undefined || isAboutPersistedQuery(first)) return;
        const isExecuted = response.body.singleResult.data !== undefined;
        if (!isExecuted && codeOf(first) !== ApolloServerErrorCode.BAD_REQUEST && errors.every(isAboutDocument)) {
          response.http.status = rejectedStatus(http?.headers.get('accept'));
          return;
        }
        const failures = errors
          .filter((error) => !isAboutDocument(error))
          .map((error) => toAppError(originalOf(error)));
        const failure = failures.find(({ code }) => statusOf(code) !== 400);
        if (failure === undefined) return;
        response.http.status = statusOf(failure.code);
        for (const [name, value] of Object.entries(failure.headers)) response.http.headers.set(name, value);
      },
    };
  },
};

/** The code of one of GraphQL's own errors. */
function codeOf({ extensions }: GraphQLError): unknown {
  if (extensions.code !== undefined) return extensions.code;
  // Apollo's errors about the hash and version of a persisted query have only a status.
  const { status } = (extensions.http ?? {}) as { status?: unknown };
  return status === 400 ? ApolloServerErrorCode.BAD_REQUEST : ApolloServerErrorCode.BAD_USER_INPUT;
}

/** Whether an error makes the client send the document itself. */
export function isAboutPersistedQuery({ extensions }: GraphQLError): boolean {
  const { PERSISTED_QUERY_NOT_FOUND, PERSISTED_QUERY_NOT_SUPPORTED } = ApolloServerErrorCode;
  return extensions.code === PERSISTED_QUERY_NOT_FOUND || extensions.code === PERSISTED_QUERY_NOT_SUPPORTED;
}

/** The error that a resolver or plugin threw, which GraphQL wraps. */
function originalOf(error: unknown): unknown {
  return error instanceof GraphQLError ? (error.originalError ?? error) : error;
}

/**
 * Whether an error is GraphQL's own about the document or its variables. Errors of parsing, validation and coercion have no
 * path, as no field was reached; those of an argument point at the document, unlike errors that a resolver throws.
 */
function isAboutDocument(error: unknown): error is GraphQLError {
  if (!(error instanceof GraphQLError)) return false;
  if (error.path === undefined) return error.originalError === undefined || error.originalError instanceof GraphQLError;
  return error.originalError instanceof GraphQLError && error.originalError.nodes !== undefined;
}

function toFormatted(log: Logger, thrown: unknown): GraphQLFormattedError {
  const error = toAppError(thrown);
  noteCode(error.code);
  logFailure(log, error);
  return {
    message: messageOf(error.code, currentLocale(), error.values),
    extensions: { code: graphqlCodeOf(error.code), requestId: currentScope()?.id },
  };
}

function shorten(message: string): string {
  return message.length > maxMessageLength ? `${message.slice(0, maxMessageLength)}…` : message;
}
