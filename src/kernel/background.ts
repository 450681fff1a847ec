import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';

/** How long a stop waits for the current run, in ms. */
const longestWait = 1_000;

/**
 * Runs `job` every `interval` ms. Logs the first failure in a row; the next run tries again. `run` runs it now; `stop`
 * ends the repetition and waits briefly for the current run.
 */
export function repeat(name: string, interval: number, job: () => Promise<void>, log: Logger) {
  let latest = Promise.resolve();
  let isFailing = false;
  const run = () => {
    latest = job().then(
      () => {
        isFailing = false;
      },
      (error: unknown) => {
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
      await Promise.race([latest, setTimeout(longestWait, undefined, { ref: false })]);
    },
  };
}
