import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';

/** How long a stop waits for a run, in ms. */
const patience = 1_000;

export interface BackgroundJob {
  /** Runs it now. */
  run(): Promise<void>;
  /** Runs it no more; resolves when the run in hand is over, or takes too long to wait for. */
  stop(): Promise<void>;
}

/** A job that runs every so many ms; the first failure in a row is logged, and the next run tries again. */
export function repeat(name: string, interval: number, job: () => Promise<void>, log: Logger): BackgroundJob {
  let latest = Promise.resolve();
  let isFailing = false;

  const run = () => {
    latest = job().then(
      () => {
        isFailing = false;
      },
      (error) => {
        if (!isFailing) log.warn({ err: error, job: name }, 'background job failed');
        isFailing = true;
      },
    );
    return latest;
  };
  const timer = setInterval(run, interval).unref();

  return {
    run,
    async stop() {
      clearInterval(timer);
      await Promise.race([latest, setTimeout(patience, undefined, { ref: false })]);
    },
  };
}
