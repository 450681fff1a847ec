import type { ServerResponse } from 'node:http';
import { ApolloServerErrorCode } from '@apollo/server/errors';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
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

/** The code of one of GraphQL's own errors. */
export function codeOf({ extensions }: GraphQLError): unknown {
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
export function originalOf(error: unknown): unknown {
  return error instanceof GraphQLError ? (error.originalError ?? error) : error;
}

/**
 * Whether an error is GraphQL's own about the document or its variables. Errors of parsing, validation and coercion have no
 * path, as no field was reached; those of an argument point at the document, unlike errors that a resolver throws.
 */
export function isAboutDocument(error: unknown): error is GraphQLError {
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
