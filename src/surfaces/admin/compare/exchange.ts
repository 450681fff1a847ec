import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import type { RecordedRequest } from './recording.ts';

/** Longest wait that a 429 may ask for before the request is sent again, in s. */
const maxRetryAfter = 120;
const maxAttempts = 3;

export interface Response {
  status: number;
  contentType: string;
  /** Where a redirect leads; relative on the same service. */
  location: string;
  body: string;
  ms: number;
}

/** Why there is no response. */
export interface Failure {
  failure: string;
}

/** One of the services that are compared. */
export interface Side {
  url: URL;
  token: string | undefined;
  /** Longest time for a response, in ms. */
  timeout: number;
  signal: AbortSignal;
}

/** Creates a function that sends requests; it waits and repeats while the service limits their rate. */
export function createSend({
  url,
  token,
  timeout,
  signal,
}: Side): (request: RecordedRequest) => Promise<Response | Failure> {
  const [requestUrl, Agent] = url.protocol === 'https:' ? [requestHttps, HttpsAgent] : [requestHttp, HttpAgent];
  const keptAlive = new Agent({ keepAlive: true });
  const base = url.pathname.replace(/\/$/, '');
  signal.addEventListener('abort', () => keptAlive.destroy());

  async function sendOnce({ method, path, headers, body = '' }: RecordedRequest, agent: HttpAgent | false = keptAlive) {
    const start = performance.now();
    const outgoing = requestUrl(url, {
      method,
      path: base + path,
      agent,
      headers: {
        ...headers,
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-length': Buffer.byteLength(body) }),
      },
    });
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      outgoing.destroy();
    }, timeout);
    try {
      const incoming = await new Promise<IncomingMessage>((resolve, reject) =>
        outgoing.on('response', resolve).on('error', reject).end(body),
      );
      const response: Response = {
        status: incoming.statusCode ?? 0,
        contentType: incoming.headers['content-type'] ?? '',
        location: (incoming.headers.location ?? '').replace(url.origin + base, ''),
        body: await text(incoming),
        ms: performance.now() - start,
      };
      return { response, retryAfter: Number(incoming.headers['retry-after'] ?? Number.NaN) };
    } catch (error) {
      // The service closed the connection just as the request took it. A write may have arrived all the same.
      const isStale = outgoing.reusedSocket && (error as NodeJS.ErrnoException).code === 'ECONNRESET';
      if (isStale && (method === 'GET' || method === 'HEAD')) return sendOnce({ method, path, headers, body }, false);
      throw isLate ? new Error(`no response in ${timeout / 1_000} s`) : error;
    } finally {
      clearTimeout(timer);
    }
  }

  return async (request) => {
    try {
      for (let attempt = 1; ; attempt++) {
        const { response, retryAfter } = await sendOnce(request);
        const mayRepeat = response.status === 429 && retryAfter <= maxRetryAfter && attempt < maxAttempts;
        if (!mayRepeat) return response;
        await wait(retryAfter * 1_000, undefined, { signal });
      }
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      return { failure: code ?? message };
    }
  };
}
