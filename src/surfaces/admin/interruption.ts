import { constants } from 'node:os';

/** How long what is under way may take to give up, in ms; then the process ends, and the database undoes it. */
const giveUpTime = 3_000;

export interface Interruption {
  /** Aborted by the first Ctrl-C (SIGINT), SIGTERM or hang-up. */
  signal: AbortSignal;
  /** What the shell expects of a process that a signal ended: 130 for Ctrl-C. */
  exitCode(): number;
  end(): void;
}

/** Listens for Ctrl-C and its like: the first one asks to give up, the second ends the process. */
export function onInterruption(onEnd: () => void): Interruption {
  const controller = new AbortController();
  let exitCode = 0;
  let timer: NodeJS.Timeout | undefined;
  const end = () => {
    onEnd();
    process.exit(exitCode);
  };
  const onSignal = (name: NodeJS.Signals) => {
    if (controller.signal.aborted) return end();
    exitCode = 128 + constants.signals[name];
    timer = setTimeout(end, giveUpTime).unref();
    controller.abort();
  };
  const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const name of names) process.on(name, onSignal);
  return {
    signal: controller.signal,
    exitCode: () => exitCode,
    end() {
      clearTimeout(timer);
      for (const name of names) process.off(name, onSignal);
    },
  };
}
