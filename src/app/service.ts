import cluster from 'node:cluster';
import type { DestinationStream } from 'pino';
import { writeWelcome } from '../domain/reference/seed/welcome.ts';
import { createLog } from '../platform/observability/log.ts';
import { createApp } from './app.ts';
import { reportToPrimary } from './cluster.ts';
import type { Config } from './config.ts';
import type { Service } from './run.ts';

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
