import { setTimeout } from 'node:timers/promises';
import type { RecordedRequest } from './recording.ts';

/** Longest Retry-After that is waited for, in s. */
const maxRetryAfter = 120;
const maxAttempts = 3;

/** A response, or why there is none. */
export type Outcome = { status: number; contentType: string; body: string; ms: number } | { failure: string };

export interface Service {
  /** The base URL, without a trailing slash. */
  url: string;
  token: string | undefined;
  /** Longest time for a response, in s. */
  timeout: number;
}

/** Sends a request to a service, and retries while the service limits the rate. Compares redirects, so follows none. */
export async function send(service: Service, request: RecordedRequest, attempt = 1): Promise<Outcome> {
  const { url, token, timeout } = service;
  const { method, path, headers, body } = request;
  const start = performance.now();
  try {
    const response = await fetch(url + path, {
      method,
      // Overrides the default of fetch.
      headers: { 'accept-language': '', ...headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) },
      body: body || null,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeout * 1_000),
    });
    const outcome = {
      status: response.status,
      contentType: response.headers.get('content-type') ?? '',
      body: await response.text(),
      ms: performance.now() - start,
    };
    const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
    if (response.status !== 429 || !(retryAfter <= maxRetryAfter) || attempt === maxAttempts) return outcome;
    await setTimeout(retryAfter * 1_000);
    return await send(service, request, attempt + 1);
  } catch (error) {
    const { message, cause = {} } = error as Error & { cause?: { code?: string; message?: string } };
    return { failure: cause.code ?? cause.message ?? message };
  }
}
