import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { startHttpServer } from '../../test/support/http-server.ts';

export interface OldResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** A difference between the old service and the real one. */
export interface PlantedDifference {
  /** Prefix of the paths, with queries. */
  path: string;
  /** Limits it to requests with this Accept-Language. */
  language?: string | undefined;
  /** Replaces the real response; undefined breaks the connection. */
  respond(real: OldResponse): OldResponse | undefined | Promise<OldResponse | undefined>;
}

/**
 * Starts a stand-in for the old service on 127.0.0.1: a proxy that translates requests to the real service and plants
 * differences. `requests` are those it received, in order; `busiest` is the most it had at the same time.
 */
export async function startOldService(
  realUrl: string,
  planted: PlantedDifference[] = [],
  translate = (part: string) => part,
) {
  const requests: IncomingMessage[] = [];
  const load = { running: 0, busiest: 0 };
  const server = await startHttpServer(async (incoming, outgoing) => {
    const { method = '', url: path = '', headers } = incoming;
    load.running += 1;
    load.busiest = Math.max(load.busiest, load.running);
    requests.push(incoming);
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

/** A difference in a JSON body, which `change` edits in place. */
// biome-ignore lint/suspicious/noExplicitAny: each difference knows the body that it edits
export function inJson(path: string, change: (body: any) => void, language?: string): PlantedDifference {
  function respond(real: OldResponse) {
    // Such as the response to HEAD.
    if (real.body === '') return real;
    const body = JSON.parse(real.body);
    change(body);
    return { ...real, body: JSON.stringify(body) };
  }
  return { path, language, respond };
}
