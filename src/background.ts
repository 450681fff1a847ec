import type { Logger } from 'pino';

/**
 * Runs a job every so many ms, one run at a time; a failure is logged, and the next run tries again. `stop` runs it a last
 * time.
 */
export function repeat(
  name: string,
  interval: number,
  job: () => Promise<unknown>,
  log: Logger,
): { stop(): Promise<void> } {
  let running: Promise<void> | undefined;

  const run = () => {
    running ??= job()
      .then(
        () => {},
        (error) => log.warn({ err: error, job: name }, 'background job failed'),
      )
      .finally(() => {
        running = undefined;
      });
    return running;
  };
  const timer = setInterval(run, interval).unref();

  return {
    async stop() {
      clearInterval(timer);
      await running;
      await run();
    },
  };
}
