import type { GraphQLSchema } from 'graphql';
import type { OperationObject, PathItemObject, ResponseObject } from 'openapi3-ts/oas31';
import type { ReferenceAccess } from '../../../domain/request/reference-access.ts';
import type { Operation } from '../operation.ts';
import { answerExamples, bodyExamples } from './examples.ts';
import { type HeaderName, headersOf, tagVersion } from './headers.ts';
import { type HeaderParameter, parameterReference, parametersOf } from './parameters.ts';
import { problemOf, problemResponses } from './problem-response.ts';
import { failed, type ProblemSample } from './problem-sample.ts';
import { requestBodyOf } from './request-body.ts';

/** What the description of a route depends on. */
export interface Setting {
  schema: GraphQLSchema;
  referenceAccess: ReferenceAccess;
  /** Whether callers are limited. */
  limited: boolean;
}

export const tags = { reference: 'Reference data', partner: 'Product tags', others: 'Other methods' };

/** A path with its methods: those of its routes, HEAD where there is GET, and OPTIONS. */
export function pathItemOf(operations: readonly Operation[], setting: Setting): PathItemObject {
  const methods = operations.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return {
    ...Object.fromEntries(
      operations.map((operation) => [operation.method.toLowerCase(), operationOf(operation, setting)]),
    ),
    ...Object.fromEntries(
      operations.filter(({ method }) => method === 'GET').map((operation) => ['head', headOf(operation, setting)]),
    ),
    ...(operations[0] && { options: optionsOf(operations[0], methods.join(', '), setting) }),
  };
}

function operationOf(operation: Operation, setting: Setting): OperationObject {
  const { id, access, summary, description, query, segments, body } = operation;
  const isOpen = access === 'reference' && setting.referenceAccess === 'public';
  return {
    operationId: id,
    tags: [tags[access]],
    summary,
    description,
    ...(isOpen && { security: [] }),
    parameters: [
      ...parametersOf('path', segments),
      ...parametersOf('query', query),
      ...headerParametersOf(operation).map(parameterReference),
    ],
    ...(body && { requestBody: requestBodyOf(body, bodyExamples(id)) }),
    responses: {
      ...successOf(operation, setting),
      ...problemsOf(
        [...(isOpen ? [] : [failed('unauthenticated')]), ...problems[access], ...operation.problems],
        setting,
      ),
    },
  };
}

/** What is answered to other methods and on other paths. */
export function elsewhereOf(setting: Setting): Record<string, ResponseObject> {
  return problemsOf([failed('not_found'), failed('method_not_allowed', { headers: { Allow: 'GET, HEAD' } })], setting);
}

// What GET answers, without the body.
function headOf(operation: Operation, setting: Setting): OperationObject {
  const { responses = {}, ...get } = operationOf(operation, setting);
  const withoutBodies = Object.entries(responses as Record<string, ResponseObject>).map(
    ([status, { content, ...response }]) => [status, response],
  );
  return {
    ...get,
    operationId: `${operation.id}Head`,
    tags: [tags.others],
    summary: `${operation.summary}: the headers alone`,
    responses: Object.fromEntries(withoutBodies),
  };
}

function optionsOf({ id, path }: Operation, allow: string, setting: Setting): OperationObject {
  return {
    operationId: `${id}Options`,
    tags: [tags.others],
    summary: `The methods of ${path}`,
    description: `Answers with \`Allow: ${allow}\`; any other method is refused with it (405).`,
    security: [],
    parameters: [parameterReference('RequestId')],
    responses: {
      204: { description: 'The methods.', headers: headersOf([...commonHeaders(setting), 'Allow']) },
      ...problemsOf([failed('overloaded')], setting),
    },
  };
}

function headerParametersOf({ method }: Operation): HeaderParameter[] {
  const own = { GET: 'IfNoneMatch', POST: 'IdempotencyKey', PUT: 'IfMatch' } as const;
  return ['AcceptLanguage', own[method], 'RequestId'];
}

function successOf({ id, method, answer }: Operation, setting: Setting): Record<string, ResponseObject> {
  const always: HeaderName[] = [...commonHeaders(setting), 'Cache-Control'];
  const content = { 'application/json': { schema: answer(setting.schema), examples: answerExamples(id) } };
  if (method === 'POST') {
    const headers = { ...headersOf([...always, 'Location'], ['Idempotency-Replayed']), ETag: tagVersion };
    return { 201: { description: 'The new tag.', headers, content } };
  }
  if (method === 'PUT') {
    const headers = { ...headersOf(always), ETag: tagVersion };
    return { 200: { description: 'The tag as it is now.', headers, content } };
  }
  const headers = headersOf([...always, 'ETag']);
  return {
    200: { description: 'The list.', headers, content },
    304: { description: 'Nothing has changed since the answer whose `ETag` is in `If-None-Match`.', headers },
  };
}

const reading = [failed('internal_server_error'), failed('overloaded'), failed('service_unavailable')];
const problems: Record<Operation['access'], ProblemSample[]> = {
  reference: reading,
  partner: [
    failed('malformed_body'),
    failed('payload_too_large'),
    failed('unsupported_media_type', { values: { supported: 'application/json, application/x-www-form-urlencoded' } }),
    failed('conflict'),
    ...reading,
  ],
};

const unreadable = [failed('malformed_request'), failed('request_timeout'), failed('headers_too_large')];
const tooMany = failed('rate_limited', { values: { seconds: 12 }, headers: { 'Retry-After': '12' } });

/** The responses of samples, and of those that any request can meet, in the order of their statuses. */
function problemsOf(samples: readonly ProblemSample[], setting: Setting): Record<string, ResponseObject> {
  const all = [...unreadable, ...(setting.limited ? [tooMany] : []), ...samples].map(problemOf);
  const [requestId, ...others] = commonHeaders(setting);
  return problemResponses(all, { always: [requestId], unlessUnreadable: [...others, 'Cache-Control'] });
}

function commonHeaders({ limited }: Setting): [HeaderName, ...HeaderName[]] {
  return ['X-Request-Id', 'Content-Language', 'Vary', ...(limited ? (['RateLimit-Policy', 'RateLimit'] as const) : [])];
}
