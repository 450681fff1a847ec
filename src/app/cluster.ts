import cluster, { type Worker } from 'node:cluster';
import { on } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { StartError } from '../kernel/errors/start-error.ts';
import type { Health } from '../platform/http/health.ts';
import { serveManagement } from '../platform/observability/management.ts';
import type { Config } from './config.ts';

/** An ended worker is replaced after this pause in ms, doubled each time up to the longest. */
const firstPause = 100;
const longestPause = 10_000;

/** A worker that ran this long, in ms, resets the pause. */
const steadyTime = 30_000;

/** How often a worker reports its health, and for how long its report counts, in ms. */
const reportInterval = 500;
const reportTtl = 2_000;

/** How long /metrics waits for a worker, in ms: one that is frozen is left out. */
const metricsTimeout = 1_000;

type Message = { url: string } | { ready: boolean } | { metrics: object };

/** Workers on one port. The primary replaces workers that end, and serves the management port for all of them. */
export function createPrimary(config: Config, log: Logger) {
  const started = new AsyncDisposableStack();
  const reports = new Map<Worker, { ready: boolean; at: number }>();
  let restarts = 0;
  let stopped: Promise<void> | undefined;

  /** Resolves to the base URL of a new worker once it serves. */
  const fork = (lastPause: number): Promise<string> => {
    const worker = cluster.fork();
    const startedAt = performance.now();
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    worker.on('message', (message: Message) => {
      if ('url' in message) resolve(message.url);
      if ('ready' in message) reports.set(worker, { ready: message.ready, at: performance.now() });
    });
    // A message to a worker that has just ended.
    worker.on('error', () => {});
    worker.on('exit', async (code, signal) => {
      reports.delete(worker);
      reject(new StartError(`A worker did not start (${signal ?? `exit code ${code}`}).`));
      if (stopped !== undefined) return;
      const isSteady = performance.now() - startedAt > steadyTime;
      const pause = isSteady ? firstPause : Math.min(2 * lastPause, longestPause);
      log.error({ pid: worker.process.pid, code, signal, pause }, 'worker ended');
      await setTimeout(pause);
      if (stopped !== undefined) return;
      restarts += 1;
      const url = await fork(pause).catch(() => undefined);
      if (url !== undefined) log.info({ url }, 'worker replaced');
    });
    return promise;
  };

  const recent = () => [...reports].filter(([, { at }]) => performance.now() - at < reportTtl);
  const health: Health = {
    isLive: async () => recent().length > 0,
    isReady: async () => stopped === undefined && recent().some(([, { ready }]) => ready),
  };

  return {
    async start() {
      if (config.management !== undefined) {
        const { AggregatorRegistry, Counter, Registry } = await import('prom-client');
        const name = 'partner_gateway_worker_restarts_total';
        /** Of the workers that respond, as one, and how many were replaced. */
        const metrics = async () => {
          const settled = await Promise.allSettled(recent().map(([worker]) => metricsOf(worker)));
          const values = settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
          const registry = AggregatorRegistry.aggregate(values);
          new Counter({ name, help: 'Workers that were replaced.', registers: [registry] }).inc(restarts);
          return registry.metrics();
        };
        const registry = { contentType: Registry.PROMETHEUS_CONTENT_TYPE, metrics };
        started.defer(await serveManagement(config.management, { health, registry }, log));
      }
      started.defer(stopWorkers);
      // One first, so that what keeps the service from starting is printed once; later failures are replaced.
      const url = await fork(firstPause / 2);
      await Promise.allSettled(Array.from({ length: config.workers - 1 }, () => fork(firstPause / 2)));
      log.info({ url, workers: config.workers }, 'listening');
    },
    stop: () => (stopped ??= started.disposeAsync()),
  };
}

async function stopWorkers(): Promise<void> {
  const running = Object.values(cluster.workers ?? {}).filter((worker) => worker?.isDead() === false);
  // Not `once`, which rejects when a message does not reach a worker that has just ended.
  const exited = running.map((worker) => new Promise((resolve) => worker?.once('exit', resolve)));
  for (const worker of running) worker?.process.kill('SIGTERM');
  await Promise.all(exited);
}

async function metricsOf(worker: Worker): Promise<object> {
  const messages = on(worker, 'message', { signal: AbortSignal.timeout(metricsTimeout) });
  worker.send('metrics');
  for await (const [message] of messages) if ('metrics' in message) return message.metrics;
  throw new Error('The worker ended.');
}

/** Sends a message of this worker; the primary may have just ended. */
export const sendToPrimary = (message: Message) => cluster.worker?.send(message, () => {});

/** Gives the primary the health of this worker, and the metrics when it asks, until the process ends. */
export function reportToPrimary({ health, registry }: { health: Health; registry: Registry }): void {
  process.on('message', async () => sendToPrimary({ metrics: await registry.getMetricsAsJSON() }));
  setInterval(async () => sendToPrimary({ ready: await health.isReady() }), reportInterval).unref();
}
