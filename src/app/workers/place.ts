import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { WorkerProcess } from './worker-process.ts';

/** After how many ms an ended worker is replaced: twice as many each time, up to the largest. */
const firstPause = 100;
const longestPause = 10_000;

/** A worker that served for so long, in ms, did not end for the reason that the one before it did. */
const steadyTime = 30_000;

interface Options {
  fork(): WorkerProcess;
  /** Called with each worker that has ended. */
  onEnd(worker: WorkerProcess): void;
  onStart(url: string): void;
  log: Logger;
}

/** A worker's place: it has one at a time, and another one when that has ended. */
export class Place {
  readonly #options: Options;
  readonly #stopping = new AbortController();
  #worker: WorkerProcess;
  #kept: Promise<void> | undefined;
  #restarts = 0;

  /** Forks the first worker. */
  constructor(options: Options) {
    this.#options = options;
    this.#worker = options.fork();
  }

  get worker(): WorkerProcess {
    return this.#worker;
  }

  /** How many workers have taken the place of another. */
  get restarts(): number {
    return this.#restarts;
  }

  /** Resolves to the base URL of the first worker, and replaces it from then on. Throws a StartError when it cannot start. */
  async start(): Promise<string> {
    const url = await this.#worker.started;
    this.#kept = this.#keep();
    return url;
  }

  /** Lets the worker finish the requests in hand; resolves when it has ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    void this.#worker.rpc.stop().catch(() => {});
    await this.#worker.ended;
    await this.#kept;
  }

  async #keep(): Promise<void> {
    const { fork, log, onEnd, onStart } = this.#options;
    const { signal: stop } = this.#stopping;
    let startedAt = performance.now();
    for (let pause = firstPause; ; pause = Math.min(2 * pause, longestPause)) {
      const { pid, ended } = this.#worker;
      const { code, signal } = await ended;
      onEnd(this.#worker);
      if (stop.aborted) return;
      if (performance.now() - startedAt > steadyTime) pause = firstPause;
      log.error({ pid, code, signal, pause }, 'worker ended');
      await setTimeout(pause, undefined, { signal: stop }).catch(() => {});
      if (stop.aborted) return;
      this.#worker = fork();
      this.#restarts += 1;
      startedAt = performance.now();
      const { pid: newPid, started } = this.#worker;
      started.then(
        (url) => {
          log.info({ pid: newPid }, 'worker started');
          onStart(url);
        },
        (error: Error) => log.error({ pid: newPid, reason: error.message }, 'worker did not start'),
      );
    }
  }
}
