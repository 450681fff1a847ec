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
  };
  client.use(identify);
  return client;
}

export type Gateway = ReturnType<typeof connect>;
