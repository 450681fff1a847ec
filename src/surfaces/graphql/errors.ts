import { ApolloServerErrorCode } from '@apollo/server/errors';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { Logger } from 'pino';
import type { AppError } from '../../kernel/errors/app-error.ts';
import { graphqlCodeOf, messageOf } from '../../kernel/errors/catalog.ts';
import { logFailure, toAppError } from '../../kernel/errors/to-app-error.ts';
import { currentLocale, currentScope, noteCode } from '../../kernel/request/scope.ts';

type FormatError = (formatted: GraphQLFormattedError, error: unknown) => GraphQLFormattedError;

/** Longest message, in characters: graphql-js quotes the whole value of a variable. */
const maxMessageLength = 500;

/** Writes top-level errors: GraphQL's own about the document as they are, all others by the catalog of errors. */
export function createErrorFormatter(log: Logger): FormatError {
  return (formatted, error) => {
    if (isAboutDocument(error)) {
      const code = codeOf(error);
      noteCode(String(code));
      const message = shorten(formatted.message);
      return { ...formatted, message, extensions: { ...formatted.extensions, code, requestId: currentScope()?.id } };
    }
    const appError = toAppError(originalOf(error));
    noteCode(appError.code);
    logFailure(log, appError);
    return { ...formatted, ...formatAppError(appError) };
  };
}

/** The code of one of GraphQL's own errors. */
export function codeOf({ extensions }: GraphQLError): unknown {
  if (extensions.code !== undefined) return extensions.code;
  // Apollo gives those about the hash and version of a persisted query a status alone.
  const { status } = (extensions.http ?? {}) as { status?: unknown };
  return status === 400 ? ApolloServerErrorCode.BAD_REQUEST : ApolloServerErrorCode.BAD_USER_INPUT;
}

/** Whether an error asks the client to send the document itself: which persisted queries there are is no property of it. */
export function isAboutPersistedQuery({ extensions }: GraphQLError): boolean {
  const { PERSISTED_QUERY_NOT_FOUND, PERSISTED_QUERY_NOT_SUPPORTED } = ApolloServerErrorCode;
  return extensions.code === PERSISTED_QUERY_NOT_FOUND || extensions.code === PERSISTED_QUERY_NOT_SUPPORTED;
}

function shorten(message: string): string {
  return message.length > maxMessageLength ? `${message.slice(0, maxMessageLength)}…` : message;
}

/** An error of the catalog as GraphQL writes it, in the language of the request. */
export function formatAppError({ code, values }: AppError): GraphQLFormattedError {
  return {
    message: messageOf(code, currentLocale(), values),
    extensions: { code: graphqlCodeOf(code), requestId: currentScope()?.id },
  };
}

/** What a resolver or plugin threw, which GraphQL wraps. */
export function originalOf(error: unknown): unknown {
  return error instanceof GraphQLError ? (error.originalError ?? error) : error;
}

/**
 * Whether an error is GraphQL's own about the document or its variables: of parsing, validation and coercion (it has no
 * path, as no field had been reached), or of an argument (it points at the document; what a resolver throws does not).
 */
export function isAboutDocument(error: unknown): error is GraphQLError {
  if (!(error instanceof GraphQLError)) return false;
  if (error.path === undefined) return error.originalError === undefined || error.originalError instanceof GraphQLError;
  return error.originalError instanceof GraphQLError && error.originalError.nodes !== undefined;
}
