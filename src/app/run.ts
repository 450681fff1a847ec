/** What serves: this process, or several as one. */
export interface Service {
  /** Resolves to the base URL once it serves. Throws a StartError if it cannot. */
  start(): Promise<string>;
  /** Finishes the requests in hand; further calls wait for the same stop. */
  stop(): Promise<void>;
}

/** How long a stop may take in all, in ms. */
const stopTimeout = 15_000;

/** A second signal within this time, in ms, is the same one: npm passes on what the terminal sent to the whole group. */
const sameSignalTime = 500;

/** Starts a service and stops it on SIGTERM or SIGINT, then calls `end`. Rejects once a failed start is undone. */
export async function run(service: Service, end: (error?: unknown) => void): Promise<void> {
  const started = service.start();
  let stoppedAt: number | undefined;
  const stop = () => {
    if (stoppedAt !== undefined) return;
    stoppedAt = performance.now();
    setTimeout(() => end('It did not stop in time.'), stopTimeout).unref();
    // A signal during the start waits for it: a half-made database is worse than a late end.
    started
      .catch(() => {})
      .then(() => service.stop())
      .then(() => end(), end);
  };
  const onSignal = (_signal: NodeJS.Signals, number: number) => {
    if (stoppedAt !== undefined && performance.now() - stoppedAt > sameSignalTime) process.exit(128 + number);
    stop();
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  onLostParent(stop);
  try {
    await started;
  } catch (error) {
    await service.stop();
    throw error;
  }
}

// npm passes SIGTERM on to its shell alone, and dash ends without its child.
function onLostParent(stop: () => void): void {
  if (process.env.npm_lifecycle_event !== 'start') return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    stop();
  }, 200).unref();
}
