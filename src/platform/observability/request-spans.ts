import type { IncomingMessage } from 'node:http';
import * as api from '@opentelemetry/api';
import { getErrorCode } from '../../kernel/errors/database-errors.ts';
import type { SentStatement } from '../../kernel/request/scope.ts';
import { graphqlPath } from '../../kernel/request/surface-path.ts';
import { redactPath } from '../../kernel/token.ts';
import type { Exchange } from './access-log.ts';
import { describeStatement } from './statement-summary.ts';

/** OpenTelemetry's semantic conventions. Spans contain no values of the caller: no query, body, variables or parameters. */
export function startSpans(
  tracer: api.Tracer,
  { method = '', url = '' }: IncomingMessage,
  parent: api.SpanContext | undefined,
) {
  // A monotonic clock for all spans of the request.
  const epoch = Date.now() - performance.now();
  const now = () => epoch + performance.now();
  const attributes = { 'http.request.method': method, 'url.path': redactPath(url), 'url.scheme': 'http' };
  const caller = parent === undefined ? api.ROOT_CONTEXT : api.trace.setSpanContext(api.ROOT_CONTEXT, parent);
  const span = tracer.startSpan(method, { kind: api.SpanKind.SERVER, startTime: now(), attributes }, caller);
  const context = api.trace.setSpan(api.ROOT_CONTEXT, span);
  let parentContext = context;

  return {
    traceId: span.spanContext().traceId,
    operation(type: string, name: string | undefined) {
      const attributes = { 'graphql.operation.type': type, 'graphql.operation.name': name };
      const operation = tracer.startSpan(type, { startTime: now(), attributes }, context);
      parentContext = api.trace.setSpan(context, operation);
      return () => {
        parentContext = context;
        operation.end(now());
      };
    },
    statement({ sql, duration, error }: SentStatement) {
      if (!span.isRecording()) return;
      const { operation, table } = describeStatement(sql);
      const summary = table === 'none' ? operation : `${operation} ${table}`;
      const end = now();
      const attributes = {
        'db.system.name': 'postgresql',
        'db.query.summary': summary,
        'db.query.text': sql,
        'db.operation.name': operation,
        'db.collection.name': table === 'none' ? undefined : table,
      };
      const options = { kind: api.SpanKind.CLIENT, startTime: end - duration, attributes };
      const statement = tracer.startSpan(summary, options, parentContext);
      if (error !== undefined) fail(statement, toErrorType(error));
      statement.end(end);
    },
    end({ scope: { id, endpoint, partner }, status, code, aborted }: Exchange) {
      // Span names must come from a fixed set, so client operation names are left out.
      const route = endpoint?.surface === 'graphql' ? graphqlPath : endpoint?.route;
      if (route !== undefined) span.updateName(`${method} ${route}`);
      span.setAttributes({
        'http.response.status_code': status,
        'http.route': route,
        'partner_gateway.request.id': id,
        'partner_gateway.partner.id': partner,
        'partner_gateway.error.code': code,
        'partner_gateway.request.aborted': aborted || undefined,
      });
      if (status >= 500) fail(span, code ?? String(status));
      span.end(now());
    },
  };
}

function fail(span: api.Span, type: string): void {
  span.setAttribute('error.type', type).setStatus({ code: api.SpanStatusCode.ERROR });
}

// The message of a database error contains the caller's values.
function toErrorType(error: unknown): string {
  return getErrorCode(error) || (error instanceof Error ? error.constructor.name : 'unknown');
}
