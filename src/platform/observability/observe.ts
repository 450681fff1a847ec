import type { SpanContext } from '@opentelemetry/api';
import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { currentScope, type SentStatement } from '../../kernel/request/scope.ts';
import { logRequest } from './access-log.ts';
import type { Metrics } from './metrics.ts';
import type { Tracing } from './tracing.ts';

interface Observers {
  log: Logger;
  metrics: Metrics | undefined;
  tracing: Tracing | undefined;
}

const clientClosedRequest = 499;

export function observeRequests({ log, metrics, tracing }: Observers): RequestHandler {
  return (request, response, next) => {
    const start = performance.now();
    const { context: scope } = response.locals;
    const { method, url } = request;
    const parent = parseTraceParent(request.headers.traceparent);
    const trace = tracing?.begin(request, parent);
    scope.trace = trace;
    scope.traceId = trace?.traceId ?? parent?.traceId;
    response.on('close', () => {
      const ms = Math.round((performance.now() - start) * 100) / 100;
      const aborted = request.readableAborted || !response.writableFinished;
      const { headersSent, statusCode } = response;
      const status = headersSent ? statusCode : clientClosedRequest;
      const exchange = { scope, method, url, status, code: headersSent ? scope.code : undefined, ms, aborted };
      if (response.errored) log.error({ err: response.errored, requestId: scope.id }, 'response not sent');
      logRequest(log, exchange);
      metrics?.count(exchange);
      trace?.end(exchange);
    });
    next();
  };
}

export function recordStatement(statement: SentStatement): void {
  const scope = currentScope();
  if (scope === undefined) return;
  scope.statements += 1;
  // Concurrent statements count once.
  const periods = scope.databasePeriods;
  const end = performance.now();
  let start = end - statement.duration;
  while ((periods.at(-1)?.end ?? 0) > start) start = Math.min(start, periods.pop()?.start ?? start);
  periods.push({ start, end });
  scope.trace?.statement(statement);
}

const traceParent = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** W3C Trace Context; undefined for a malformed header. */
function parseTraceParent(header: string | string[] = ''): SpanContext | undefined {
  const [, version, traceId = '', spanId = '', flags = '', more] = traceParent.exec(String(header)) ?? [];
  // Later versions may add fields; version 00 has none.
  if (version === undefined || (version === '00' && more !== undefined)) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
}
