import { inspect } from 'node:util';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { StartError } from '../../kernel/errors/start-error.ts';
import { within } from '../../kernel/patience.ts';
import type { Health } from '../../platform/http/health.ts';
import type { CreateLimiter } from '../../platform/http/rate-limit.ts';
import { SharedLimiter } from '../../platform/http/shared-limiter.ts';
import { PrimaryLimiter, type SharedCounts } from './primary-limiter.ts';
import { connect, type PrimaryFunctions, type WorkerFunctions } from './rpc.ts';
import { together } from './together.ts';

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
      send: (message) => void process.send?.(message),
      onMessage: (listener) => void process.on('message', listener),
    },
  );
  // Before all others: they would wait, on exit, for somebody to read the log.
  process.prependListener('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  const ask = together(whileItAnswers((asked: Asked[]) => primary.count(asked), log));
  const shared: SharedCounts = {
    count: (...asked) => ask(asked),
    giveBack: (...points) => void primary.giveBack.asEvent(...points),
  };
  return {
    createLimiter: (limit) => new SharedLimiter(new PrimaryLimiter(limit, shared)),
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

type Asked = Parameters<SharedCounts['count']>;

/** Asks the primary; throws at once while an earlier question has no answer in time. */
function whileItAnswers<Question, Answer>(
  ask: (question: Question) => Promise<Answer>,
  log: Logger,
): (question: Question) => Promise<Answer> {
  let isAnswering = true;
  const become = (answers: boolean) => {
    if (answers === isAnswering) return;
    isAnswering = answers;
    if (answers) log.info('the primary answers: limits are shared');
    else log.warn('the primary does not answer: limits are counted by this worker alone');
  };
  return async (question) => {
    if (!isAnswering) throw new Error('the primary does not answer');
    const answered = ask(question);
    try {
      return await within(patience, answered, 'the primary did not answer in time');
    } catch (error) {
      become(false);
      // It will, as soon as it can.
      answered.then(
        () => become(true),
        () => become(true),
      );
      throw error;
    }
  };
}
