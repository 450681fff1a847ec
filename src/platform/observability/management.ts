import { isIP } from 'node:net';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { type Health, probes } from '../http/health.ts';
import { chain, type Handler, type Middleware, type Reject } from '../http/middleware.ts';
import { addHeader, sendText } from '../http/response.ts';
import { drain, listen } from '../http/server.ts';

/** Time for a running scrape to finish on stop, in ms. */
const drainTimeout = 500;

/**
 * Serves the probes and `/metrics` on a separate port; resolves to the stop function. Throws a OperatorError if the port
 * is not available. Accepts `names` as Host headers, besides `host`, localhost and IP addresses.
 */
export async function serveManagement(
  { port, host, names }: { port: number; host: string; names: readonly string[] },
  { health, registry }: { health: Health; registry: Registry },
  log: Logger,
): Promise<() => Promise<void>> {
  const steps = [checkHost([host, ...names]), probes(health)];
  const serve: Handler = async ({ method, url = '' }, response) => {
    if (!/^\/metrics(?:\?|$)/.test(url)) return sendText(response, 404, 'There is /metrics, /livez and /readyz.\n');
    if (method !== 'GET' && method !== 'HEAD') {
      addHeader(response, 'Allow', 'GET, HEAD');
      return sendText(response, 405, 'Use GET.\n');
    }
    sendText(response, 200, await registry.metrics(), registry.contentType);
  };
  const handler = chain(steps, serve, fail);
  const { server, url } = await listen(handler, { port, host, settings: 'MANAGEMENT_' });
  log.info({ url }, 'management listening');
  return () => drain(server, drainTimeout);
}

const fail: Reject = (response, error) => sendText(response, 500, `${(error as Error).message}\n`);

// A page whose name resolves to this machine (DNS rebinding) sends its own name as Host.
function checkHost(names: readonly string[]): Middleware {
  const allowed = new Set(['localhost', ...names.map((name) => name.toLowerCase())]);
  return (request, response, next) => {
    const host = URL.parse(`http://${request.headers.host}`)?.hostname ?? '';
    if (allowed.has(host) || isIP(host.replace(/^\[|\]$/g, '')) !== 0) return next();
    sendText(response, 403, 'The Host header has an unknown name. Set MANAGEMENT_NAMES to allow it.\n');
  };
}
