import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';

const stopTimeoutMs = 1_000;

/** Runs `job` every `interval` ms, and logs the first of consecutive failures. `stop` waits briefly for the current run. */
export function startJob(name: string, interval: number, job: () => Promise<void>, log: Logger) {
  let latest = Promise.resolve();
  let isFailing = false;
  const run = () => {
    latest = job().then(
      () => {
        isFailing = false;
      },
      (error: unknown) => {
        if (!isFailing) log.warn({ err: error, job: name }, 'background job failed; it will be retried');
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
      await Promise.race([latest, setTimeout(stopTimeoutMs, undefined, { ref: false })]);
    },
  };
}
