import { inspect } from 'node:util';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { StartError } from '../errors/start-error.ts';
import type { Health } from '../http/health.ts';
import type { CreateLimiter } from '../http/rate-limit.ts';
import { SharedLimiter } from '../http/shared-limiter.ts';
import { within } from '../patience.ts';
import { type CountAtPrimary, PrimaryLimiter } from './primary-limiter.ts';
import { connect, type PrimaryFunctions, type WorkerFunctions } from './rpc.ts';

/** How long a request waits for the primary, in ms; it usually answers within one. */
const patience = 100;

/** What a worker has of its primary. */
interface Primary {
  createLimiter: CreateLimiter;
  manage(managed: { health: Health; registry: Registry }): Promise<() => Promise<void>>;
  tellStarted(url: string): void;
  tellFailed(error: unknown): void;
}

/** Connects this process to the primary that has started it, and ends with it. */
export function connectToPrimary(log: Logger, stop: () => void): Primary {
  let managed: { health: Health; registry: Registry } | undefined;
  const primary = connect<PrimaryFunctions, WorkerFunctions>(
    {
      stop,
      isLive: async () => true,
      isReady: async () => managed?.health.isReady() ?? false,
      metrics: async () => managed?.registry.getMetricsAsJSON() ?? [],
    },
    {
      send: (messages) => void process.send?.(messages),
      onMessages: (listener) => void process.on('message', listener),
    },
  );
  // Before all others: they would wait, on exit, for somebody to read the log.
  process.prependListener('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  const count = countWhileItAnswers((...asked) => primary.count(...asked), log);
  return {
    createLimiter: (limit) => new SharedLimiter(new PrimaryLimiter(limit, count)),
    async manage(its) {
      managed = its;
      return async () => {};
    },
    tellStarted: (url) => void primary.started(url),
    tellFailed(error) {
      const reason = error instanceof StartError ? error.message : inspect(error);
      void primary.failed(reason).then(() => process.exit(1));
    },
  };
}

/** Asks the primary; throws at once while an earlier question has no answer in time. */
function countWhileItAnswers(ask: CountAtPrimary, log: Logger): CountAtPrimary {
  let isAnswering = true;
  const become = (answers: boolean) => {
    if (answers === isAnswering) return;
    isAnswering = answers;
    if (answers) log.info('the primary answers: limits are shared');
    else log.warn('the primary does not answer: limits are counted by this worker alone');
  };
  return async (...asked) => {
    if (!isAnswering) throw new Error('the primary does not answer');
    const counted = ask(...asked);
    try {
      return await within(patience, counted, 'the primary did not answer in time');
    } catch (error) {
      become(false);
      // It will, as soon as it can.
      void counted.then(() => become(true));
      throw error;
    }
  };
}
