import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { StartError } from '../../kernel/errors/start-error.ts';
import { watchHandovers } from './handovers.ts';
import type { SharedCounts } from './primary-limiter.ts';
import { connect, type PrimaryFunctions, type Remote, type WorkerFunctions } from './rpc.ts';
import { writeWholeLines } from './whole-lines.ts';

/** How a process ended. */
interface End {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A worker, from its fork to its end. */
export class WorkerProcess {
  readonly pid: number;
  /** Resolves to the base URL; rejects with a StartError when it could not start. */
  readonly started: Promise<string>;
  /** When it has ended, and all that it printed is written. */
  readonly ended: Promise<End>;
  readonly rpc: Remote<WorkerFunctions, PrimaryFunctions>;
  readonly #worker: Worker;

  constructor(counts: SharedCounts, write: (lines: string) => void) {
    const worker = cluster.fork();
    const { promise: started, resolve, reject } = Promise.withResolvers<string>();
    this.#worker = worker;
    this.pid = worker.process.pid as number;
    this.started = started;
    const count = (asked: Parameters<SharedCounts['count']>[]) =>
      Promise.all(asked.map((each) => counts.count(...each)));
    const { giveBack } = counts;
    this.rpc = connect<WorkerFunctions, PrimaryFunctions>(
      { started: resolve, failed: (reason) => reject(new StartError(reason)), count, giveBack },
      {
        // One that has just ended takes no more.
        send: (message) => void worker.send(message, () => {}),
        onMessage: (listener) => void worker.on('message', listener),
      },
    );
    worker.on('error', () => {});
    const giveHandoversTo = watchHandovers(worker);
    writeWholeLines(worker.process.stdout as Readable, write);
    this.ended = once(worker.process, 'close').then(([code, signal]) => {
      giveHandoversTo(Object.values(cluster.workers ?? {}).find((other) => other?.isConnected()));
      this.rpc.$close();
      reject(new StartError(`A worker ended as it started (${signal ?? `exit code ${code}`}).`));
      return { code, signal };
    });
  }

  kill(): void {
    this.#worker.process.kill('SIGKILL');
  }
}
