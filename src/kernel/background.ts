import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';

/** How long a stop waits for the current run, in ms. */
const longestWait = 1_000;

export interface BackgroundJob {
  /** Runs it now. */
  run(): Promise<void>;
  /** Ends the repetition; waits for the current run, but not long. */
  stop(): Promise<void>;
}

/** Runs a job every so many ms. The first failure in a row is logged, and the next run tries again. */
export function repeat(name: string, interval: number, job: () => Promise<void>, log: Logger): BackgroundJob {
  let latest = Promise.resolve();
  let isFailing = false;

  async function runOnce(): Promise<void> {
    try {
      await job();
      isFailing = false;
    } catch (error) {
      if (!isFailing) log.warn({ err: error, job: name }, 'background job failed');
      isFailing = true;
    }
  }
  const run = () => {
    latest = runOnce();
    return latest;
  };
  const timer = setInterval(run, interval).unref();

  return {
    run,
    async stop() {
      clearInterval(timer);
      await Promise.race([latest, setTimeout(longestWait, undefined, { ref: false })]);
    },
  };
}
