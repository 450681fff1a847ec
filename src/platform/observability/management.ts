import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Config } from '../../app/config.ts';
import { type Health, probes } from '../http/health.ts';
import { chain, type Handler } from '../http/middleware.ts';
import { type GatewayResponse, send } from '../http/response.ts';
import { drain, listen } from '../http/server.ts';

/** How long a scrape in hand may take to finish on stop, in ms. */
const drainTimeout = 500;

/** What is told of a process, or of several as one. */
export interface Managed {
  health: Health;
  registry: Pick<Registry, 'contentType' | 'metrics'>;
}

/**
 * Serves what whoever operates the service asks, on a port of its own: the probes and `/metrics`. Resolves to its stop; throws
 * a StartError when the port cannot be had.
 */
export async function serveManagement(
  address: NonNullable<Config['management']>,
  managed: Managed,
  log: Logger,
): Promise<() => Promise<void>> {
  const { server, url } = await listen(handlerOf(managed), { ...address, settings: 'MANAGEMENT_' });
  log.info({ url }, 'management listening');
  return () => drain(server, drainTimeout);
}

function handlerOf({ health, registry }: Managed): Handler {
  return chain([probes(health)], ({ method, url = '' }, response) => {
    if (!/^\/metrics(?:\?|$)/.test(url)) return answer(response, 404, 'There is /metrics, /livez and /readyz.\n');
    if (method !== 'GET' && method !== 'HEAD') return answer(response, 405, 'GET it.\n', ['Allow', 'GET, HEAD']);
    registry.metrics().then(
      (text) => answer(response, 200, text, ['Content-Type', registry.contentType]),
      (error: Error) => answer(response, 500, `${error.message}\n`),
    );
  });
}

const plain = ['Content-Type', 'text/plain; charset=utf-8'];

function answer(response: GatewayResponse, status: number, text: string, headers: string[] = []): void {
  const type = headers.includes('Content-Type') ? [] : plain;
  send(response, status, ['Cache-Control', 'no-store', ...type, ...headers], Buffer.from(text));
}
