import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import type { RecordedRequest } from './recording.ts';

/** Longest wait that a 429 may ask for before the request is sent again, in s. */
const maxRetryAfter = 120;
const maxAttempts = 3;

export interface Response {
  status: number;
  contentType: string;
  /** Where it leads, if it is a redirect; relative on the same service. */
  redirect: string;
  body: string;
  ms: number;
}

/** A response, or why there is none. */
export type Outcome = Response | { failure: string };
export type Send = (request: RecordedRequest) => Promise<Outcome>;

interface Service {
  url: URL;
  token: string | undefined;
  /** Longest time for a response, in s. */
  timeout: number;
  signal: AbortSignal;
}

/** Creates a function that sends requests to a service; it waits and repeats while the service limits their rate. */
export function createSend({ url, token, timeout, signal }: Service): Send {
  const { Agent, request: createRequest } = url.protocol === 'https:' ? https : http;
  const agent = new Agent({ keepAlive: true });
  signal.addEventListener('abort', () => agent.destroy());
  const base = url.pathname.replace(/\/$/, '');

  async function sendOnce({ method, path, headers, body = '' }: RecordedRequest, late: AbortSignal) {
    const start = performance.now();
    const outgoing = createRequest(url, { method, path: base + path, agent, signal: late, headers });
    // Without it, Node sends the body of a GET or DELETE unframed.
    if (body !== '') outgoing.setHeader('Content-Length', Buffer.byteLength(body));
    if (token !== undefined) outgoing.setHeader('Authorization', `Bearer ${token}`);
    const incoming = await new Promise<IncomingMessage>((resolve, reject) =>
      outgoing.on('response', resolve).on('error', reject).end(body),
    );
    const { statusCode: status = 0, headers: received } = incoming;
    const location = status >= 300 && status < 400 ? received.location : undefined;
    return {
      status,
      contentType: received['content-type'] ?? '',
      redirect: location?.replace(url.origin + base, '') ?? '',
      retryAfter: Number(received['retry-after'] ?? Number.NaN),
      body: await text(incoming),
      ms: performance.now() - start,
    };
  }

  return async (request) => {
    for (let attempt = 1; ; attempt++) {
      const late = AbortSignal.timeout(timeout * 1_000);
      try {
        const response = await sendOnce(request, late);
        const mayRepeat = response.status === 429 && response.retryAfter <= maxRetryAfter && attempt < maxAttempts;
        if (!mayRepeat) return response;
        await setTimeout(response.retryAfter * 1_000, undefined, { signal });
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        return { failure: late.aborted ? `no response in ${timeout} s` : (code ?? message) };
      }
    }
  };
}
