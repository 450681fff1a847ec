import { within } from '../../kernel/patience.ts';
import type { Health } from '../../platform/http/health.ts';
import type { WorkerProcess } from './worker-process.ts';

/** How long a worker may take to answer, in ms. */
const patience = 1_000;

/**
 * The workers' health as one: live while one of them answers, ready while one of them takes work. Whoever is told no sends
 * nothing more to any of them, and requests go to those that are left.
 */
export function sharedHealth(workers: () => WorkerProcess[], takesWork: () => boolean): Health {
  const some = (ask: (worker: WorkerProcess) => Promise<boolean>) =>
    Promise.any(
      workers().map(async (worker) => {
        if (!(await within(patience, ask(worker), 'the worker did not answer in time'))) throw new Error('no');
      }),
    ).then(
      () => true,
      () => false,
    );
  return {
    isLive: () => some(({ rpc }) => rpc.isLive()),
    isReady: async () => takesWork() && some(({ rpc }) => rpc.isReady()),
  };
}
