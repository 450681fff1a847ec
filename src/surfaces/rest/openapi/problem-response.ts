import { STATUS_CODES } from 'node:http';
import type { ExampleObject, ResponseObject, SchemaObject } from 'openapi3-ts/oas31';
import { type RefusalCode, type RequestErrorCode, statusOf } from '../../../kernel/errors/catalog.ts';
import type { Locale } from '../../../kernel/localization/locale.ts';
import { createScope, runInScope } from '../../../kernel/request/scope.ts';
import { problemOfError } from '../problem.ts';
import { type HeaderName, headersOf } from './headers.ts';
import type { ProblemSample } from './problem-sample.ts';

type Code = RequestErrorCode | RefusalCode;

/** A code, its headers and what it looks like in both languages. */
interface Problem {
  code: Code;
  headers: HeaderName[];
  body: Record<Locale, ReturnType<typeof problemOfError>>;
}

const requestId = '5f0c1a52-7d3e-4c1b-9a43-0d6f2a1b8c90';

/** What a sample makes. */
export function problemOf(sample: ProblemSample): Problem {
  const inLocale = (locale: Locale) => runInScope(createScope(requestId, locale), sample);
  const { code, headers } = inLocale('en');
  const bodyIn = (locale: Locale) =>
    runInScope(createScope(requestId, locale), () => problemOfError(inLocale(locale), requestId));
  return { code, headers: Object.keys(headers) as HeaderName[], body: { en: bodyIn('en'), ar: bodyIn('ar') } };
}

/** The responses of a route by status, each for all of its codes. */
export function problemResponses(
  problems: readonly Problem[],
  common: { always: HeaderName[]; unlessUnreadable: HeaderName[] },
): Record<string, ResponseObject> {
  const byStatus = Map.groupBy(problems, ({ code }) => statusOf(code));
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => {
      const each = group.map(({ headers }) => new Set(headers));
      const all = [...new Set(group.flatMap(({ headers }) => headers))];
      const always = all.filter((name) => each.every((headers) => headers.has(name)));
      // Answered too where no HTTP request could be read, of which nothing is known.
      const isUnreadable = unreadableStatuses.includes(status);
      return [
        String(status),
        {
          description: group.map(({ code, body }) => `\`${code}\`: ${body.en.detail}`).join('\n\n'),
          headers: headersOf(
            [...common.always, ...(isUnreadable ? [] : common.unlessUnreadable), ...always],
            [...(isUnreadable ? common.unlessUnreadable : []), ...all],
          ),
          content: {
            'application/problem+json': { schema: schemaOf(status, group), examples: examplesOf(group) },
          },
        },
      ];
    }),
  );
}

const unreadableStatuses = (['malformed_request', 'request_timeout', 'headers_too_large'] as const).map(statusOf);

/** The schema of every problem; `codes` are all that v1 has. */
export function problemSchema(codes: string[]): SchemaObject {
  return {
    title: 'Problem',
    type: 'object',
    description: 'Why a request failed (RFC 9457).',
    properties: {
      type: { const: 'about:blank', description: 'There is no more to read about it than its code says.' },
      title: { type: 'string', description: 'What its status is called.' },
      status: { type: 'integer', description: 'The HTTP status.' },
      detail: { type: 'string', description: 'What is wrong, in the language asked for.' },
      code: { type: 'string', enum: codes, description: 'What is wrong, for programs.' },
      request_id: { type: 'string', description: 'Names the request: the `X-Request-Id` of the answer.' },
      errors: {
        type: 'object',
        description: 'What is wrong with each refused field, parameter or header, in the language asked for.',
        additionalProperties: {
          type: 'array',
          items: { type: 'string' },
          minItems: 1,
          description: 'All that is wrong with it.',
        },
      },
    },
    required: ['type', 'title', 'status', 'detail', 'code', 'request_id'],
  };
}

function schemaOf(status: number, group: readonly Problem[]): SchemaObject {
  const codes = [...new Set(group.map(({ code }) => code))];
  return {
    allOf: [{ $ref: '#/components/schemas/Problem' }],
    type: 'object',
    properties: {
      status: { const: status, description: STATUS_CODES[status] ?? '' },
      code: { enum: codes, description: 'What is wrong, for programs.' },
    },
    ...(group.every(({ body }) => 'errors' in body.en) && { required: ['errors'] }),
  };
}

function examplesOf(group: readonly Problem[]): Record<string, ExampleObject> {
  return Object.fromEntries(
    group.flatMap(({ code, body }) => [
      [code, { summary: code, value: body.en }],
      [`${code}_ar`, { summary: `${code}, in Arabic`, value: body.ar }],
    ]),
  );
}
