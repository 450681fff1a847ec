import { setTimeout } from 'node:timers/promises';

/** What came of a request; status 0 when there was no answer. */
export interface Outcome {
  status: number;
  ms: number;
  retryAfter: string | null;
}

export interface Load {
  /** What came of the requests so far. */
  outcomes: Outcome[];
  /** Sends no more; resolves when the last is answered. */
  stop(): Promise<Outcome[]>;
}

/** A request that has no answer after so many ms hangs. */
const answerLimit = 20_000;

/** How long a worker waits, in ms, after an answer that is no success. */
const pause = 50;

/** Has so many workers send requests, each one after the other, until it is stopped. */
export function startLoad(
  workers: number,
  send: (worker: number) => Promise<{ status: number; headers: Headers }>,
): Load {
  const outcomes: Outcome[] = [];
  let isStopped = false;

  async function work(worker: number): Promise<void> {
    while (!isStopped) {
      const start = performance.now();
      const answer = await Promise.race([send(worker), setTimeout(answerLimit, undefined, { ref: false })]).catch(
        () => {},
      );
      const status = answer?.status ?? 0;
      outcomes.push({ status, ms: performance.now() - start, retryAfter: answer?.headers.get('retry-after') ?? null });
      if (!isSuccess(status)) await setTimeout(pause);
    }
  }

  const working = Promise.all(Array.from({ length: workers }, (_, worker) => work(worker)));
  return {
    outcomes,
    async stop() {
      isStopped = true;
      await working;
      return outcomes;
    },
  };
}

/** The figures of outcomes in one line. */
export function figuresOf(outcomes: readonly Outcome[]): string {
  const count = (matches: (status: number) => boolean) => outcomes.filter(({ status }) => matches(status)).length;
  const other = count((status) => !isSuccess(status) && status !== 503);
  const slowest = Math.round(Math.max(0, ...outcomes.map(({ ms }) => ms)));
  return `${outcomes.length} requests, ${count(isSuccess)} 2xx, ${count((status) => status === 503)} 503, ${other} other, slowest ${slowest} ms`;
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}
