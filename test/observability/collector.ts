import { text } from 'node:stream/consumers';
import { startHttpServer } from '../support/http-server.ts';

export interface CollectedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: Record<string, unknown>;
  status: { code?: number };
  startTimeUnixNano: string;
  endTimeUnixNano: string;
}

export interface Collector extends AsyncDisposable {
  url: string;
  /** The paths that were posted to, and the bodies as they came. */
  requests: { path: string; headers: Record<string, unknown>; body: string }[];
  spans(): CollectedSpan[];
  /** Attributes of the process that sent the spans. */
  resource(): Record<string, unknown>;
}

/** An OpenTelemetry collector as far as spans in OTLP over HTTP with JSON go; `status` is what it answers. */
export async function startCollector(status = 200): Promise<Collector> {
  const requests: Collector['requests'] = [];
  const server = await startHttpServer(async (request, response) => {
    const body = await text(request);
    requests.push({ path: request.url ?? '', headers: request.headers, body });
    response.writeHead(status, { 'Content-Type': 'application/json' }).end('{}');
  });
  const resourceSpans = () => requests.flatMap(({ body }) => JSON.parse(body).resourceSpans);

  return {
    ...server,
    requests,
    spans: () =>
      resourceSpans()
        .flatMap(({ scopeSpans }) => scopeSpans)
        .flatMap(({ spans }) => spans)
        .map((span) => ({ ...span, attributes: plain(span.attributes) })),
    resource: () => plain(resourceSpans()[0]?.resource.attributes ?? []),
  };
}

function plain(attributes: { key: string; value: Record<string, unknown> }[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
