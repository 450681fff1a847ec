import { ApolloServerErrorCode, unwrapResolverError } from '@apollo/server/errors';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { Logger } from 'pino';
import type { AppError } from '../errors/app-error.ts';
import { graphqlCodeOf, messageOf } from '../errors/catalog.ts';
import { toAppError } from '../errors/to-app-error.ts';
import { currentLocale, currentScope } from '../request/scope.ts';

type FormatError = (formatted: GraphQLFormattedError, error: unknown) => GraphQLFormattedError;

/** Writes top-level errors: GraphQL's own about the document as they are, all others by the catalog of errors. */
export function createErrorFormatter(log: Logger): FormatError {
  return (formatted, error) => {
    if (isAboutDocument(formatted, error)) {
      return { ...formatted, extensions: { ...formatted.extensions, requestId: currentScope()?.id } };
    }
    const original = unwrapResolverError(error);
    const appError = toAppError(original);
    if (appError.code === 'internal_server_error')
      log.error({ err: original, path: formatted.path }, 'resolver failed');
    return { ...formatted, ...formatAppError(appError) };
  };
}

/** An error of the catalog as GraphQL writes it, in the language of the request. */
export function formatAppError({ code, values }: AppError): GraphQLFormattedError {
  return {
    message: messageOf(code, currentLocale(), values),
    extensions: { code: graphqlCodeOf(code), requestId: currentScope()?.id },
  };
}

// Errors of parsing, validation and coercion have no path: no field had been reached.
function isAboutDocument(formatted: GraphQLFormattedError, error: unknown): boolean {
  return (
    error instanceof GraphQLError &&
    error.path === undefined &&
    formatted.extensions?.code !== ApolloServerErrorCode.INTERNAL_SERVER_ERROR
  );
}
