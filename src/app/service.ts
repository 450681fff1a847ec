/** What serves, in this process or in several as one. */
export interface Service {
  /** Resolves to the base URL when it serves. Throws a StartError if it cannot. */
  start(): Promise<string>;
  /** Finishes the requests in hand; called again, resolves when that is done. */
  stop(): Promise<void>;
}

/**
 * Starts a service and stops it on SIGTERM or SIGINT, then `end` is told what went wrong, if anything did. `started` rejects
 * once what had begun is stopped again.
 */
export function run(service: Service, end: (error?: unknown) => void): { started: Promise<string>; stop(): void } {
  const started = service.start().catch(async (error: unknown) => {
    await service.stop();
    throw error;
  });
  let isStopping = false;
  const stop = () => {
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => end('It did not stop in time.'), stopTimeout).unref();
    // A signal that comes while it starts waits for that: a database half made is worse than a late end.
    started
      .catch(() => {})
      .then(() => service.stop())
      .then(() => end(), end);
  };
  onStopSignal(stop);
  onLostParent(stop);
  return { started, stop };
}

/** How long a stop may take in all, in ms. */
const stopTimeout = 15_000;

// npm passes SIGTERM on to its shell alone, which ends without its child where it is dash.
function onLostParent(stop: () => void): void {
  if (process.env.npm_lifecycle_event !== 'start') return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    stop();
  }, 200).unref();
}

// The second signal ends the process at once. Not one that follows at the heels of the first: npm passes on what the
// terminal has sent to the whole group.
function onStopSignal(stop: () => void): void {
  let stoppedAt: number | undefined;
  const onSignal = (_signal: NodeJS.Signals, number: number) => {
    if (stoppedAt === undefined) {
      stoppedAt = performance.now();
      stop();
    } else if (performance.now() - stoppedAt > 500) {
      process.exit(128 + number);
    }
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}
