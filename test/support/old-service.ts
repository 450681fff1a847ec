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
  language?: string | undefined;
  /** The response in place of the real one; undefined breaks the connection. */
  respond(real: OldResponse): OldResponse | undefined | Promise<undefined>;
}

interface OldRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
}

/**
 * Starts a stand-in of the old service on 127.0.0.1: it passes requests on to the real one, translated, and has planted
 * differences. `requests` has what it received, in order, and `busiest` how many of them at the same time, at most.
 */
export async function startOldService(
  realUrl: string,
  planted: PlantedDifference[] = [],
  translate = (part: string) => part,
) {
  const requests: OldRequest[] = [];
  const load = { running: 0, busiest: 0 };
  const server = await startHttpServer(async (incoming, outgoing) => {
    const { method = '', url: path = '', headers } = incoming;
    load.running += 1;
    load.busiest = Math.max(load.busiest, load.running);
    requests.push({ method, path, headers });
    const { host: _host, connection: _connection, 'content-length': _length, ...passed } = headers;
    const real = await fetch(realUrl + translate(path), {
      method,
      headers: passed as Record<string, string>,
      body: translate(await text(incoming)) || null,
    });
    const contentType = real.headers.get('content-type') ?? '';
    let response: OldResponse | undefined = {
      ...{ status: real.status, headers: { 'content-type': contentType } },
      body: await real.text(),
    };
    for (const { path: start, language = headers['accept-language'], respond } of planted)
      if (path.startsWith(start) && headers['accept-language'] === language)
        response = response && (await respond(response));
    load.running -= 1;
    if (response === undefined) incoming.socket.destroy();
    else outgoing.writeHead(response.status, response.headers).end(method === 'HEAD' ? '' : response.body);
  });
  return Object.assign(server, { requests, load });
}

/** A difference within JSON: `change` edits the body in place. */
// biome-ignore lint/suspicious/noExplicitAny: each difference knows the body that it edits
export function inJson(path: string, change: (body: any) => void, language?: string): PlantedDifference {
  function respond(real: OldResponse) {
    // As that to a HEAD.
    if (real.body === '') return real;
    const body = JSON.parse(real.body);
    change(body);
    return { ...real, body: JSON.stringify(body) };
  }
  return { path, language, respond };
}
