import type { ApolloServerPlugin } from '@apollo/server';
import { ApolloServerErrorCode } from '@apollo/server/errors';
import type { Request, RequestHandler, Response } from 'express';
import { type FormattedExecutionResult, GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { Logger } from 'pino';
import { AppError, reportError, toAppError } from '../../kernel/errors/app-error.ts';
import { formatHint, formatMessage, toGraphQLCode, toHttpStatus } from '../../kernel/errors/catalog.ts';
import { currentScope, type RequestScope } from '../../kernel/request/scope.ts';
import { negotiateType } from '../../platform/http/accept.ts';
import { requestsCost } from '../../platform/http/headers.ts';
import { send } from '../../platform/http/send.ts';
import type { RequestContext } from '../request/context.ts';
import { limitError } from '../request/cost.ts';
import type { DocumentLimits } from './document-limits.ts';

/** Apollo clones its context, so it holds the request's. */
export interface ApolloContext {
  context: RequestContext;
  /** The cost of the operation, and the most that its caller may use. */
  cost?: { used: number; max: number };
}

const { BAD_REQUEST, BAD_USER_INPUT, GRAPHQL_PARSE_FAILED } = ApolloServerErrorCode;

/** Longest message, in characters: graphql-js quotes the whole value of a variable. */
const maxMessageLength = 500;

/** Formats top-level errors: keeps graphql-js's errors about the document, and takes all others from the catalog. */
export function createErrorFormatter(log: Logger, limits: DocumentLimits) {
  return (formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError => {
    // Apollo passes no context.
    const scope = currentScope() as RequestScope;
    if (hasTooManyTokens(formatted)) return toFormatted(scope, limitError({ limit: 'tokens', max: limits.tokens }));
    if (!isFromGraphQLJs(error)) return { ...formatted, ...toFormatted(scope, reportError(log, unwrapError(error))) };
    // Apollo's errors about the hash and version of a persisted query have a status but no code.
    const code = error.extensions.code ?? (error.extensions.http ? BAD_REQUEST : BAD_USER_INPUT);
    scope.code ??= String(code);
    const message = shorten(formatted.message, maxMessageLength);
    return { ...formatted, message, extensions: { ...formatted.extensions, code, requestId: scope.id } };
  };
}

/** Only the message identifies this error of the parser. */
function hasTooManyTokens({ message, extensions }: GraphQLFormattedError): boolean {
  return extensions?.code === GRAPHQL_PARSE_FAILED && /more tha[tn] \d+ tokens/.test(message);
}

/** Sends an error that was thrown outside of Apollo, such as the length of a document, after its headers are set. */
export function sendError(response: Response, error: AppError): void {
  // A malformed path throws before `setGraphQLVary`.
  response.vary('Accept, X-Query-Cost').setHeader('Content-Type', acceptedType(response.req) ?? json);
  const status = error.code === 'query_too_complex' ? rejectedStatus(response) : toHttpStatus(error.code);
  send(response, status, JSON.stringify({ errors: [toFormatted(response.locals.context, error)] }));
}

const json = 'application/json; charset=utf-8';
const responseJson = 'application/graphql-response+json; charset=utf-8';

/** The media type of the response to a request; undefined if it accepts neither. */
function acceptedType(request: Request): string | undefined {
  const type = negotiateType(request, ['application/json', 'application/graphql-response+json']);
  return type && `${type}; charset=utf-8`;
}

/** Chooses the media type before the operation runs; Apollo would choose it after. */
export const negotiateMediaType: RequestHandler = (request, response, next) => {
  const type = acceptedType(request);
  if (type === undefined) throw new AppError('not_acceptable', { values: { supported: [responseJson, json] } });
  response.setHeader('Content-Type', type);
  next();
};

/**
 * HTTP status of a document that is not executed: 400 as application/graphql-response+json, 200 as application/json
 * (GraphQL over HTTP, section 6.4).
 */
function rejectedStatus(response: Response): number {
  return response.getHeader('Content-Type') === responseJson ? 400 : 200;
}

/**
 * Sets the HTTP status of a GraphQL response without data; there is none if every root field failed. It is that of the
 * first error other than 400, or else, for a document that fails parsing, validation, coercion or a limit, that of the
 * media type. A malformed request is 400, an unknown persisted query 200. Caches must not store a response with errors.
 */
export const responseStatus: ApolloServerPlugin<ApolloContext> = {
  async requestDidStart() {
    return {
      async didEncounterErrors({ contextValue }) {
        contextValue.context.isCacheable = false;
      },
      async willSendResponse({ response: { body, http }, contextValue, source, errors = [] }) {
        if (body.kind !== 'single') return;
        const result = body.singleResult;
        if (hasOnlyFailures(result)) result.data = null;
        if (result.data) return;
        const failure = errors
          .filter((error) => !isFromGraphQLJs(error))
          .map((error) => toAppError(unwrapError(error)))
          .find(({ code }) => toHttpStatus(code) !== 400);
        if (failure !== undefined) {
          http.status = toHttpStatus(failure.code);
          for (const [name, value] of Object.entries(failure.headers)) http.headers.set(name, value);
          // Without a source, the request is malformed or its persisted query unknown. 405 means a mutation by GET.
        } else if (result.data === undefined && source !== undefined && http.status !== 405) {
          http.status = rejectedStatus(contextValue.context.response);
        }
      },
    };
  },
};

function hasOnlyFailures({ data, errors = [] }: FormattedExecutionResult): boolean {
  const failed = new Set(errors.map(({ path }) => path?.[0]));
  return data != null && errors.length > 0 && Object.keys(data).every((key) => data[key] === null && failed.has(key));
}

/** The error that a resolver or plugin threw, which GraphQL wraps. */
function unwrapError(error: unknown): unknown {
  return error instanceof GraphQLError ? (error.originalError ?? error) : error;
}

/**
 * Whether graphql-js itself reports the error about the document, its variables or arguments: it has no path, because no
 * field ran. Those of `checkArguments` have none either, but are ours.
 */
function isFromGraphQLJs(error: unknown): error is GraphQLError {
  if (!(error instanceof GraphQLError) || error.path !== undefined) return false;
  return error.originalError === undefined || error.originalError instanceof GraphQLError;
}

function toFormatted(scope: RequestScope, error: AppError): GraphQLFormattedError {
  scope.code ??= error.code;
  const { limit, ...values } = error.values;
  return {
    message: [
      formatMessage(error.code, scope.locale, error.values),
      ...(error.hint ? [formatHint(error.hint, scope.locale)] : []),
    ].join(' '),
    extensions: {
      code: toGraphQLCode(error.code),
      ...(limit && { limit: { name: limit, ...values } }),
      requestId: scope.id,
    },
  };
}

/** Adds the cost of an operation to its response if the request has the header `X-Query-Cost: 1`. */
export const reportedCost: ApolloServerPlugin<ApolloContext> = {
  async requestDidStart() {
    return {
      async willSendResponse({ response: { body }, contextValue: { context, cost } }) {
        if (body.kind !== 'single' || cost === undefined || !requestsCost(context.response.req.headers)) return;
        body.singleResult.extensions = { ...body.singleResult.extensions, cost };
      },
    };
  },
};

export function shorten(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}
