import type { IncomingMessage } from 'node:http';
import type { Attributes, Context, Span, Tracer } from '@opentelemetry/api';
import type { RequestTrace, SentStatement } from '../../kernel/request/scope.ts';
import { graphqlPath } from '../../kernel/request/surface-path.ts';
import { redactPath } from '../../kernel/token.ts';
import type { Exchange } from './access-log.ts';
import { describeStatement } from './statement-summary.ts';
import type { TraceParent } from './traceparent.ts';

type Api = typeof import('@opentelemetry/api');

/**
 * The spans of one request, named and described by OpenTelemetry's semantic conventions: HTTP, in it a GraphQL operation (REST
 * executes one too), in that its SQL statements. Never a value of the caller's: no query, no body, no variable, no parameter.
 */
export class RequestSpans implements RequestTrace {
  readonly #api: Api;
  readonly #tracer: Tracer;
  readonly #span: Span;
  readonly #context: Context;
  /** What begins now begins within this. */
  #current: Context;
  // One clock for all spans of the request, which does not jump.
  readonly #epoch = Date.now() - performance.now();

  constructor(api: Api, tracer: Tracer, { method = '', url = '' }: IncomingMessage, parent: TraceParent | undefined) {
    this.#api = api;
    this.#tracer = tracer;
    const attributes = { 'http.request.method': method, 'url.path': redactPath(url), 'url.scheme': 'http' };
    this.#span = tracer.startSpan(
      method,
      { kind: api.SpanKind.SERVER, startTime: this.#now(), attributes },
      parent === undefined ? api.ROOT_CONTEXT : remoteContext(api, parent),
    );
    this.#context = api.trace.setSpan(api.ROOT_CONTEXT, this.#span);
    this.#current = this.#context;
  }

  get traceId(): string {
    return this.#span.spanContext().traceId;
  }

  operation(type: string, name: string | undefined): () => void {
    const span = this.#tracer.startSpan(
      type,
      {
        startTime: this.#now(),
        attributes: { 'graphql.operation.type': type, ...(name !== undefined && { 'graphql.operation.name': name }) },
      },
      this.#context,
    );
    this.#current = this.#api.trace.setSpan(this.#context, span);
    return () => {
      this.#current = this.#context;
      span.end(this.#now());
    };
  }

  statement({ sql, duration, error }: SentStatement): void {
    if (!this.#span.isRecording()) return;
    const { operation, table } = describeStatement(sql);
    const summary = table === 'none' ? operation : `${operation} ${table}`;
    const end = this.#now();
    const attributes: Attributes = {
      'db.system.name': 'postgresql',
      'db.query.summary': summary,
      'db.query.text': sql,
      'db.operation.name': operation,
      ...(table !== 'none' && { 'db.collection.name': table }),
    };
    const span = this.#tracer.startSpan(
      summary,
      { kind: this.#api.SpanKind.CLIENT, startTime: end - duration, attributes },
      this.#current,
    );
    if (error !== undefined) this.#fail(span, statusCodeOf(error));
    span.end(end);
  }

  /** Ends the request's own span, and names it by what it turned out to be. */
  end({ scope: { id, endpoint, partner, code }, method, status, aborted }: Exchange): void {
    const span = this.#span;
    span.setAttributes({
      'http.response.status_code': status,
      'partner_gateway.request.id': id,
      ...(partner !== undefined && { 'partner_gateway.partner.id': partner }),
      ...(code !== undefined && { 'partner_gateway.error.code': code }),
      ...(aborted && { 'partner_gateway.request.aborted': true }),
    });
    if (endpoint !== undefined) {
      // Names are counted by whoever looks at spans: none has a client's words, as an operation's own name is.
      const route = endpoint.surface === 'graphql' ? graphqlPath : endpoint.route;
      span.updateName(`${method} ${route}`);
      span.setAttribute('http.route', route);
    }
    if (status >= 500) this.#fail(span, code ?? String(status));
    span.end(this.#now());
  }

  #fail(span: Span, type: string): void {
    span.setAttribute('error.type', type);
    span.setStatus({ code: this.#api.SpanStatusCode.ERROR });
  }

  #now(): number {
    return this.#epoch + performance.now();
  }
}

function remoteContext({ trace, ROOT_CONTEXT }: Api, { traceId, spanId, flags }: TraceParent): Context {
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: flags, isRemote: true });
}

// A database's error says in its message what the caller sent.
function statusCodeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : error instanceof Error ? error.constructor.name : 'unknown';
}
