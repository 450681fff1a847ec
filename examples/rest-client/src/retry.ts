import { setTimeout } from 'node:timers/promises';

const attempts = 5;

/** Retries 429, 503 and lost connections if that is safe: reads, updates, and creates with an idempotency key. */
export function retryingFetch(): (request: Request) => Promise<Response> {
  return async (request) => {
    const isSafe = request.method !== 'POST' || request.headers.has('Idempotency-Key');
    for (let attempt = 1; ; attempt += 1) {
      const isLast = !isSafe || attempt === attempts;
      const response = await fetch(request.clone(), { signal: AbortSignal.timeout(30_000) }).catch((error: unknown) => {
        if (isLast) throw error;
      });
      if (response !== undefined && (isLast || (response.status !== 429 && response.status !== 503))) return response;
      const seconds = Number(response?.headers.get('Retry-After') ?? 2 ** (attempt - 1));
      console.log(`${request.method}: ${response?.status ?? 'not sent'}, again in ${seconds} s`);
      await setTimeout(1_000 * seconds);
    }
  };
}
