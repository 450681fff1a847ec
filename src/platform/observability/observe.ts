import type { Logger } from 'pino';
import { currentScope, type SentStatement } from '../../kernel/request/scope.ts';
import type { Middleware } from '../http/middleware.ts';
import { type Exchange, logRequest } from './access-log.ts';
import type { Metrics } from './metrics.ts';
import { parseTraceParent } from './traceparent.ts';
import type { Tracing } from './tracing.ts';

/** Requests in hand, and those that have ended. */
export interface Traffic {
  open: number;
  ended: number;
}

interface Observers {
  log: Logger;
  traffic: Traffic;
  metrics: Metrics | undefined;
  tracing: Tracing | undefined;
}

/** Records each request in the log, the metrics and the trace, once its response is sent or its client has left. */
export function observeRequests({ log, traffic, metrics, tracing }: Observers): Middleware {
  return (request, response, next) => {
    const start = performance.now();
    // A request whose client leaves ends outside of its scope.
    const scope = currentScope();
    if (scope === undefined) return next();
    const { method = '', url = '' } = request;
    const { traceparent } = request.headers;
    const parent = traceparent === undefined ? undefined : parseTraceParent(traceparent);
    const trace = tracing?.begin(request, parent);
    scope.trace = trace;
    scope.traceId = trace?.traceId ?? parent?.traceId;
    traffic.open += 1;
    response.on('close', () => {
      traffic.open -= 1;
      traffic.ended += 1;
      const ms = Math.round((performance.now() - start) * 100) / 100;
      const aborted = request.readableAborted || !response.writableFinished;
      const exchange: Exchange = { scope, method, url, status: response.statusCode, ms, aborted };
      logRequest(log, exchange);
      metrics?.count(exchange);
      trace?.end(exchange);
    });
    next();
  };
}

/** Records a SQL statement for its request. */
export function noteStatement(statement: SentStatement): void {
  const scope = currentScope();
  if (scope === undefined) return;
  scope.statements += 1;
  scope.databaseTime += statement.duration;
  scope.trace?.statement(statement);
}
