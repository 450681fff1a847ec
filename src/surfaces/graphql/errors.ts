import type { ApolloServerPlugin } from '@apollo/server';
import { ApolloServerErrorCode } from '@apollo/server/errors';
import type { Request, RequestHandler, Response } from 'express';
import { type FormattedExecutionResult, GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { Logger } from 'pino';
import { AppError, reportError, toAppError } from '../../kernel/errors/app-error.ts';
import { formatHint, formatMessage, toGraphQLCode, toHttpStatus } from '../../kernel/errors/catalog.ts';
import { currentScope, type RequestScope } from '../../kernel/request/scope.ts';
import { negotiateType } from '../../platform/http/accept.ts';
import { isCostRequested } from '../../platform/http/headers.ts';
import { send } from '../../platform/http/send.ts';
import type { RequestContext } from '../request/context.ts';
import { limitError } from '../request/cost.ts';
import type { DocumentLimits } from './document-limits.ts';

/** Apollo clones its context, so it wraps the request's. */
export interface ApolloContext {
  context: RequestContext;
  cost?: { used: number; max: number };
}

const { BAD_REQUEST, BAD_USER_INPUT, GRAPHQL_PARSE_FAILED } = ApolloServerErrorCode;

/** graphql-js quotes the whole value of a variable. */
const maxMessageLength = 500;

/** Keeps graphql-js's errors about the document, and takes all others from the catalog. */
export function createErrorFormatter(log: Logger, limits: DocumentLimits) {
  return (formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError => {
    // Apollo passes no context.
    const scope = currentScope() as RequestScope;
    if (hasTooManyTokens(formatted))
      return toGraphQLFormattedError(scope, limitError({ limit: 'tokens', max: limits.tokens }));
    if (!isFromGraphQLJs(error))
      return { ...formatted, ...toGraphQLFormattedError(scope, reportError(log, unwrapError(error))) };
    // Apollo's errors about the hash and version of a persisted query have a status but no code.
    const code = error.extensions.code ?? (error.extensions.http ? BAD_REQUEST : BAD_USER_INPUT);
    scope.code ??= String(code);
    const message = truncate(formatted.message, maxMessageLength);
    return { ...formatted, message, extensions: { ...formatted.extensions, code, requestId: scope.id } };
  };
}

/** Only the message identifies this error of the parser. */
function hasTooManyTokens({ message, extensions }: GraphQLFormattedError): boolean {
  return extensions?.code === GRAPHQL_PARSE_FAILED && /more tha[tn] \d+ tokens/.test(message);
}

/** Sends an error thrown outside of Apollo, such as a document's length. */
export function sendError(response: Response, error: AppError): void {
  // A malformed path throws before the GraphQL routes set it.
  response.vary('Accept, X-Query-Cost').setHeader('Content-Type', negotiateResponseType(response.req) ?? json);
  const status = error.code === 'query_too_complex' ? toRejectionStatus(response) : toHttpStatus(error.code);
  send(response, status, JSON.stringify({ errors: [toGraphQLFormattedError(response.locals.context, error)] }));
}

const json = 'application/json; charset=utf-8';
const responseJson = 'application/graphql-response+json; charset=utf-8';

function negotiateResponseType(request: Request): string | undefined {
  const type = negotiateType(request, ['application/json', 'application/graphql-response+json']);
  return type && `${type}; charset=utf-8`;
}

/** Before the operation runs; Apollo would negotiate afterwards. */
export const negotiateMediaType: RequestHandler = (request, response, next) => {
  const type = negotiateResponseType(request);
  if (type === undefined) throw new AppError('not_acceptable', { values: { supported: [responseJson, json] } });
  response.setHeader('Content-Type', type);
  next();
};

/** The HTTP status of a document that is not executed (GraphQL over HTTP, section 6.4). */
function toRejectionStatus(response: Response): number {
  return response.getHeader('Content-Type') === responseJson ? 400 : 200;
}

/** Without data, the response has the status of the first error other than 400, or else of a document not executed. */
export const statusPlugin: ApolloServerPlugin<ApolloContext> = {
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
          // Apollo's status stays for malformed requests, unknown persisted queries and mutations by GET (405).
        } else if (result.data === undefined && source !== undefined && http.status !== 405) {
          http.status = toRejectionStatus(contextValue.context.response);
        }
      },
    };
  },
};

function hasOnlyFailures({ data, errors = [] }: FormattedExecutionResult): boolean {
  const failed = new Set(errors.map(({ path }) => path?.[0]));
  return data != null && errors.length > 0 && Object.keys(data).every((key) => data[key] === null && failed.has(key));
}

function unwrapError(error: unknown): unknown {
  return error instanceof GraphQLError ? (error.originalError ?? error) : error;
}

/** Whether graphql-js rejected the document or its variables. Errors of `checkArguments` have no path either. */
function isFromGraphQLJs(error: unknown): error is GraphQLError {
  if (!(error instanceof GraphQLError) || error.path !== undefined) return false;
  return error.originalError === undefined || error.originalError instanceof GraphQLError;
}

function toGraphQLFormattedError(scope: RequestScope, error: AppError): GraphQLFormattedError {
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

/** Adds the cost to the response for `X-Query-Cost: 1`. */
export const costPlugin: ApolloServerPlugin<ApolloContext> = {
  async requestDidStart() {
    return {
      async willSendResponse({ response: { body }, contextValue: { context, cost } }) {
        if (body.kind !== 'single' || cost === undefined || !isCostRequested(context.response.req.headers)) return;
        body.singleResult.extensions = { ...body.singleResult.extensions, cost };
      },
    };
  },
};

export function truncate(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}
