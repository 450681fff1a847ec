import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { startHttpServer } from './http-server.ts';

interface OldResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Something that the old service does in another way than the real one. */
export interface PlantedDifference {
  /** Beginning of the paths with their queries. */
  path: string;
  /** Only requests with this Accept-Language. */
  language?: string;
  /** The response in place of the real one; undefined breaks the connection. `pass` sends another request to the real one. */
  respond(
    real: OldResponse,
    request: OldRequest,
    pass: Pass,
  ): OldResponse | undefined | Promise<OldResponse | undefined>;
}

type Pass = (request: OldRequest) => Promise<OldResponse>;

interface OldRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface OldService extends AsyncDisposable {
  url: string;
  /** What it received, in order. */
  requests: OldRequest[];
  /** How many requests it had at the same time, at most. */
  readonly busiest: number;
}

/** Starts a stand-in of the old service on 127.0.0.1: it passes requests on to the real one, and has planted differences. */
export async function startOldService(realUrl: string, planted: PlantedDifference[] = []): Promise<OldService> {
  const requests: OldRequest[] = [];
  let [running, busiest] = [0, 0];
  const server = await startHttpServer(async (incoming, outgoing) => {
    const { method = '', url: path = '', headers } = incoming;
    running += 1;
    busiest = Math.max(busiest, running);
    const request = { method, path, headers, body: await text(incoming) };
    requests.push(request);
    const language = headers['accept-language'];
    const pass: Pass = (each) => passOn(realUrl, each);
    let response: OldResponse | undefined = await pass(request);
    for (const each of planted) {
      if (!path.startsWith(each.path) || (each.language && each.language !== language)) continue;
      response = response && (await each.respond(response, request, pass));
    }
    running -= 1;
    if (response === undefined) incoming.socket.destroy();
    else outgoing.writeHead(response.status, response.headers).end(method === 'HEAD' ? '' : response.body);
  });
  return {
    ...server,
    requests,
    get busiest() {
      return busiest;
    },
  };
}

async function passOn(realUrl: string, { method, path, headers, body }: OldRequest): Promise<OldResponse> {
  const passed = ['accept', 'accept-language', 'authorization', 'content-type', 'idempotency-key', 'x-request-id'];
  const response = await fetch(realUrl + path, {
    method,
    redirect: 'manual',
    headers: passed.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])] as const])),
    ...(body !== '' && { body }),
  });
  const kept = ['content-type', 'location', 'retry-after'];
  const own = kept.flatMap((name) => (response.headers.has(name) ? [[name, response.headers.get(name) ?? '']] : []));
  return { status: response.status, headers: Object.fromEntries(own), body: await response.text() };
}

/** A difference within JSON: `change` edits the body in place. */
// biome-ignore lint/suspicious/noExplicitAny: each difference knows the body that it edits
export function inJson(path: string, change: (body: any) => void, language?: string): PlantedDifference {
  return {
    path,
    ...(language && { language }),
    respond(real) {
      // As that to a HEAD.
      if (real.body === '') return real;
      const body = JSON.parse(real.body);
      change(body);
      return { ...real, body: JSON.stringify(body) };
    },
  };
}
