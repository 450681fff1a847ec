import cluster from 'node:cluster';
import { join } from 'node:path';
import type { DestinationStream } from 'pino';
import { packageFolder } from '../../kernel/package.ts';
import { createLog } from '../../platform/observability/log.ts';
import { serveManagement } from '../../platform/observability/management.ts';
import type { Config } from '../config.ts';
import type { Service } from '../service.ts';
import { createCounts } from './counts.ts';
import { Place } from './place.ts';
import { sharedHealth } from './shared-health.ts';
import type { SharedMetrics } from './shared-metrics.ts';
import { WorkerProcess } from './worker-process.ts';

/**
 * The service in so many workers on one port. This process, their primary, hands connections to whichever is free, replaces
 * those that end, and does once what is done once: it writes the log, counts requests, tells metrics and health.
 */
export function createService(config: Config, output: DestinationStream): Service {
  const log = createLog(config.logLevel, output);
  const counts = createCounts(config.workers);
  const started = new AsyncDisposableStack();
  const places: Place[] = [];
  const workers = () => places.map(({ worker }) => worker);
  let metrics: SharedMetrics | undefined;
  let toldUrl: string | undefined;
  let stopped: Promise<void> | undefined;

  const tellUrl = (url: string) => {
    // With PORT=0 it is another one when all workers had ended.
    if (url !== toldUrl) log.info({ url, workers: config.workers }, 'listening');
    toldUrl = url;
  };
  const options = {
    fork: () => new WorkerProcess(counts, (lines) => output.write(lines)),
    onStart: tellUrl,
    onEnd: (worker: WorkerProcess) => void metrics?.keep(worker),
    log,
  };

  return {
    async start() {
      if (config.management !== undefined) {
        const { SharedMetrics } = await import('./shared-metrics.ts');
        metrics = new SharedMetrics(workers, () => places.reduce((sum, { restarts }) => sum + restarts, 0));
        const health = sharedHealth(workers, () => stopped === undefined);
        started.defer(await serveManagement(config.management, { health, registry: metrics }, log));
      }
      cluster.setupPrimary({
        exec: join(packageFolder, 'dist/src/worker.js'),
        stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
      });
      const killAll = () => {
        for (const worker of workers()) worker.kill();
      };
      process.once('exit', killAll);
      for (let index = 0; index < config.workers; index += 1) places.push(new Place(options));
      try {
        const [url = ''] = await Promise.all(places.map((place) => place.start()));
        tellUrl(url);
        return url;
      } catch (error) {
        killAll();
        throw error;
      } finally {
        started.defer(async () => void (await Promise.all(places.map((place) => place.stop()))));
      }
    },
    stop() {
      stopped ??= started.disposeAsync();
      return stopped;
    },
  };
}
