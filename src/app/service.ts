import cluster from 'node:cluster';
import type { DestinationStream } from 'pino';
import type { Registry } from 'prom-client';
import { writeWelcome } from '../domain/reference/seed/welcome.ts';
import type { Health } from '../platform/http/health.ts';
import { createLog } from '../platform/observability/log.ts';
import { createApp } from './app.ts';
import type { Message } from './cluster.ts';
import type { Config } from './config.ts';
import type { Service } from './run.ts';

/** How often a worker reports its health, in ms. */
const reportInterval = 500;

/** The service in this process: alone, or as one of several workers. */
export function createService(config: Config, output: DestinationStream): Service {
  const { worker } = cluster;
  const log = createLog(config.logLevel, output, worker && { pid: process.pid });
  const app = createApp(config, { log, ...(worker && { manage: reportToPrimary }) });
  return {
    async start() {
      const url = await app.start();
      if (worker === undefined) log.info({ url }, 'listening');
      else worker.send({ url });
      if (config.databaseUrl === undefined) await writeWelcome(app.db(), config.dataDir, url);
      return url;
    },
    stop: () => app.stop(),
  };
}

/** Gives the primary the health of this worker, and the metrics when it asks; resolves to the end of that. */
async function reportToPrimary({ health, registry }: { health: Health; registry: Registry }) {
  const send = (message: Message) => cluster.worker?.send(message, () => {});
  const sendMetrics = async () => send({ metrics: await registry.getMetricsAsJSON() });
  process.on('message', sendMetrics);
  const timer = setInterval(async () => send({ ready: await health.isReady() }), reportInterval);
  return async () => {
    clearInterval(timer);
    process.off('message', sendMetrics);
  };
}
