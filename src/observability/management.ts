import type { Registry } from 'prom-client';
import { type Answer, answerWhole } from '../http/answer.ts';
import { chain, type Handler, type Middleware } from '../http/middleware.ts';

/** What whoever operates the service asks, on a port of its own: the probes and `/metrics`. */
export function managementHandler(probes: Middleware, registry: Registry): Handler {
  return chain([probes], ({ method, url = '' }, response) => {
    if (!/^\/metrics(?:\?|$)/.test(url)) return answer(response, 404, 'There is /metrics, /livez and /readyz.\n');
    if (method !== 'GET' && method !== 'HEAD') return answer(response, 405, 'GET it.\n', ['Allow', 'GET, HEAD']);
    registry.metrics().then(
      (text) => answer(response, 200, text, ['Content-Type', registry.contentType]),
      (error: Error) => answer(response, 500, `${error.message}\n`),
    );
  });
}

const plain = ['Content-Type', 'text/plain; charset=utf-8'];

function answer(response: Answer, status: number, text: string, headers: string[] = []): void {
  const type = headers.includes('Content-Type') ? [] : plain;
  answerWhole(response, status, ['Cache-Control', 'no-store', ...type, ...headers], text);
}
