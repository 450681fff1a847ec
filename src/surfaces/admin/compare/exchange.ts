import type { RecordedRequest } from './recording.ts';

/** A response, or why there is none. */
export type Outcome = { status: number; contentType: string; body: string; ms: number } | { failure: string };

export interface Service {
  /** Without a path. */
  url: URL;
  token: string | undefined;
  /** Longest time for a response, in s. */
  timeout: number;
}

/** Sends a request to a service. Redirects are responses: to follow one would hide it. */
export async function send({ url, token, timeout }: Service, request: RecordedRequest): Promise<Outcome> {
  const { method, path, headers, body } = request;
  const start = performance.now();
  try {
    const response = await fetch(url.origin + path, {
      method,
      // By default, fetch adds a language.
      headers: { 'accept-language': '', ...headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) },
      body: body || null,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeout * 1_000),
    });
    return {
      status: response.status,
      contentType: response.headers.get('content-type') ?? '',
      body: await response.text(),
      ms: performance.now() - start,
    };
  } catch (error) {
    const { message, cause = {} } = error as Error & { cause?: { code?: string; message?: string } };
    return { failure: cause.code ?? cause.message ?? message };
  }
}
