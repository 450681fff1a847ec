import { isIP } from 'node:net';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';
import { withTimeout } from '../../kernel/timeout.ts';
import { type Health, probes } from '../http/health.ts';
import { sendText } from '../http/send.ts';
import { listen } from '../http/server.ts';

/** Metrics are most needed while the database does not respond. */
const healthTimeoutMs = 1_000;

const drainTimeoutMs = 500;

/** Accepts `names`, `host`, localhost and IP addresses as Host. Throws an OperatorError if the port is not available. */
export async function serveManagement(
  { port, host, names }: { port: number; host: string; names: readonly string[] },
  { health, registry }: { health: Health; registry: Registry },
  log: Logger,
): Promise<() => Promise<void>> {
  new Gauge({
    name: 'partner_gateway_ready',
    help: '1 if /readyz returns 200, else 0.',
    registers: [registry],
    async collect() {
      const { isReady } = await withTimeout(healthTimeoutMs, health(), '').catch(() => ({ isReady: false }));
      this.set(isReady ? 1 : 0);
    },
  });
  const serveMetrics: RequestHandler = async ({ method, path }, response) => {
    if (path !== '/metrics') return sendText(response, 404, 'Not found. Use /metrics, /livez or /readyz.\n');
    if (method !== 'GET' && method !== 'HEAD') return sendText(response.set('Allow', 'GET, HEAD'), 405, 'Use GET.\n');
    sendText(response, 200, await registry.metrics(), registry.contentType);
  };
  const app = express()
    .disable('x-powered-by')
    .use(checkHost([host, ...names]), probes(health), serveMetrics, handleError);
  const { url, drain } = await listen(app, { port, host, envPrefix: 'MANAGEMENT_' });
  log.info({ url }, 'management listening');
  return () => drain(drainTimeoutMs);
}

const handleError: ErrorRequestHandler = (error, _request, response, _next) =>
  sendText(response, 500, `${(error as Error).message}\n`);

// Against DNS rebinding: a malicious page sends its own name as Host. Probes in HTTP/1.0 send none.
function checkHost(names: readonly string[]): RequestHandler {
  const allowed = new Set(['localhost', ...names.map((name) => name.toLowerCase())]);
  return ({ headers }, response, next) => {
    if (headers.host === undefined) return next();
    const host = URL.parse(`http://${headers.host}`)?.hostname ?? '';
    if (allowed.has(host) || isIP(host.replace(/^\[|\]$/g, '')) !== 0) return next();
    sendText(response, 403, 'The Host header has an unknown name. Set MANAGEMENT_NAMES to allow it.\n');
  };
}
