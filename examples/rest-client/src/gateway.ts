import createClient, { type Middleware } from 'openapi-fetch';
import { retryingFetch } from './retry.ts';
import type { components, paths } from './v1.generated.ts';

export type Problem = components['schemas']['Problem'];

/** A client of REST v1 with types for its paths, parameters, bodies and responses. */
export function connect({ url, token, language }: { url: string; token: string; language: 'en' | 'ar' }) {
  const client = createClient<paths>({ baseUrl: `${url}/partner_portal/v1`, fetch: retryingFetch() });
  const identify: Middleware = {
    onRequest({ request }) {
      request.headers.set('Authorization', `Bearer ${token}`);
      request.headers.set('Accept-Language', language);
    },
    // A proxy may respond with a page. 304 has no body.
    onResponse({ response: { status, headers } }) {
      if (status !== 304 && !headers.get('Content-Type')?.includes('json'))
        throw new Error(`HTTP ${status} without JSON`);
    },
  };
  client.use(identify);
  return client;
}

export type Gateway = ReturnType<typeof connect>;
