import { text } from 'node:stream/consumers';
import { startHttpServer } from './http-server.ts';

export interface CollectedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: Record<string, unknown>;
  status: { code?: number };
  startTimeUnixNano: string;
}

/** A collector of OTLP spans over HTTP with JSON that responds with `status`. */
export async function startCollector(status = 200) {
  const requests: { path: string; headers: Record<string, unknown>; body: string }[] = [];
  const server = await startHttpServer(async (request, response) => {
    requests.push({ path: request.url ?? '', headers: request.headers, body: await text(request) });
    response.writeHead(status, { 'Content-Type': 'application/json' }).end('{}');
  });
  const resourceSpans = () => requests.flatMap(({ body }) => JSON.parse(body).resourceSpans);
  const plain = (attributes: { key: string; value: object }[]) =>
    Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
  return Object.assign(server, {
    requests,
    spans: (): CollectedSpan[] =>
      resourceSpans()
        .flatMap(({ scopeSpans }) => scopeSpans)
        .flatMap(({ spans }) => spans)
        .map((span) => ({ ...span, attributes: plain(span.attributes) })),
    /** Resource attributes of the spans. */
    resource: () => plain(resourceSpans()[0]?.resource.attributes ?? []),
  });
}
