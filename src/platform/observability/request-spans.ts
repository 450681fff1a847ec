import type { IncomingMessage } from 'node:http';
import {
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { RequestTrace } from '../../kernel/request/scope.ts';
import { graphqlPath } from '../../kernel/request/surface-path.ts';
import { redactPath } from '../../kernel/token.ts';
import type { Exchange } from './access-log.ts';
import { describeStatement } from './statement-summary.ts';

export interface RequestSpans extends RequestTrace {
  traceId: string;
  /** Ends the request's own span, and names it by what it turned out to be. */
  end(exchange: Exchange): void;
}

/**
 * The spans of one request, named and described by OpenTelemetry's semantic conventions: HTTP, in it a GraphQL operation (REST
 * executes one too), in that its SQL statements. Never a value of the caller's: no query, no body, no variable, no parameter.
 */
export function startSpans(
  tracer: Tracer,
  { method = '', url = '' }: IncomingMessage,
  parent: SpanContext | undefined,
): RequestSpans {
  // One clock for all spans of the request, which does not jump.
  const epoch = Date.now() - performance.now();
  const now = () => epoch + performance.now();
  const attributes = { 'http.request.method': method, 'url.path': redactPath(url), 'url.scheme': 'http' };
  const caller = parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent);
  const span = tracer.startSpan(method, { kind: SpanKind.SERVER, startTime: now(), attributes }, caller);
  const context = trace.setSpan(ROOT_CONTEXT, span);
  /** What begins now begins within this. */
  let current = context;

  return {
    traceId: span.spanContext().traceId,
    operation(type, name) {
      const attributes = { 'graphql.operation.type': type, 'graphql.operation.name': name };
      const operation = tracer.startSpan(type, { startTime: now(), attributes }, context);
      current = trace.setSpan(context, operation);
      return () => {
        current = context;
        operation.end(now());
      };
    },
    statement({ sql, duration, error }) {
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
      const statement = tracer.startSpan(
        summary,
        { kind: SpanKind.CLIENT, startTime: end - duration, attributes },
        current,
      );
      if (error !== undefined) fail(statement, statusCodeOf(error));
      statement.end(end);
    },
    end({ scope: { id, endpoint, partner, code }, status, aborted }) {
      // Names are counted by whoever looks at spans: none has a client's words, as an operation's own name is.
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

function fail(span: Span, type: string): void {
  span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR });
}

// A database's error says in its message what the caller sent.
function statusCodeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : error instanceof Error ? error.constructor.name : 'unknown';
}
