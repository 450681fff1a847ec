import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { SpanContext } from '@opentelemetry/api';
import type { Logger } from 'pino';
import { negotiateLocale } from '../../kernel/localization/locale.ts';
import { memoize } from '../../kernel/memoize.ts';
import { memoryBounds } from '../../kernel/memory-bounds.ts';
import { currentScope, RequestScope, runInScope, type SentStatement } from '../../kernel/request/scope.ts';
import { hashToken, parseBearer, redactTokens } from '../../kernel/token.ts';
import type { Middleware } from '../http/middleware.ts';
import { logRequest } from './access-log.ts';
import type { Metrics } from './metrics.ts';
import type { Tracing } from './tracing.ts';

interface Observers {
  log: Logger;
  metrics: Metrics | undefined;
  tracing: Tracing | undefined;
}

/** Runs each request in its own scope; records it in the log, metrics and trace once the response is closed. */
export function observeRequests({ log, metrics, tracing }: Observers): Middleware {
  return (request, response, next) => {
    const start = performance.now();
    const scope = createScope(request);
    response.scope = scope;
    response.headerList?.push('X-Request-Id', scope.id, 'Content-Language', scope.locale, 'Vary', 'Accept-Language');
    const { method = '', url = '' } = request;
    const parent = parseTraceParent(request.headers.traceparent);
    const trace = tracing?.begin(request, parent);
    scope.trace = trace;
    scope.traceId = trace?.traceId ?? parent?.traceId;
    response.on('close', () => {
      const ms = Math.round((performance.now() - start) * 100) / 100;
      const aborted = request.readableAborted || !response.writableFinished;
      const exchange = { scope, method, url, status: response.statusCode, ms, aborted };
      if (response.errored) log.error({ err: response.errored, requestId: scope.id }, 'response not sent');
      logRequest(log, exchange);
      metrics?.count(exchange);
      trace?.end(exchange);
    });
    runInScope(scope, next);
  };
}

// A client's request id is used if it is safe to log and contains no token.
const idPattern = /^[\w.:-]{8,128}$/;
const isAcceptable = (id: string) => idPattern.test(id) && redactTokens(id) === id;

const localeOf = memoize(memoryBounds.locales, negotiateLocale);

function createScope({ headers }: IncomingMessage): RequestScope {
  const { authorization, 'accept-language': accepted, 'x-request-id': given } = headers;
  const id = typeof given === 'string' && isAcceptable(given) ? given : randomUUID();
  const token = parseBearer(authorization);
  return new RequestScope(id, accepted === undefined ? 'en' : localeOf(accepted), token && hashToken(token));
}

/** Records a SQL statement for its request. */
export function noteStatement(statement: SentStatement): void {
  const scope = currentScope();
  if (scope === undefined) return;
  scope.statements += 1;
  // Statements side by side count once.
  const periods = scope.databasePeriods;
  const end = performance.now();
  let start = end - statement.duration;
  while ((periods.at(-1)?.end ?? 0) > start) start = Math.min(start, periods.pop()?.start ?? start);
  periods.push({ start, end });
  scope.trace?.statement(statement);
}

const traceParent = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** The caller's span that a request belongs to (W3C Trace Context); undefined for a malformed header. */
function parseTraceParent(header: string | string[] = ''): SpanContext | undefined {
  const [, version, traceId = '', spanId = '', flags = '', more] = traceParent.exec(String(header)) ?? [];
  // Later versions may add fields; version 00 has none.
  if (version === undefined || (version === '00' && more !== undefined)) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
}
