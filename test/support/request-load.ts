import { setTimeout } from 'node:timers/promises';

/** The result of a request; status 0 without a response. */
export interface Outcome {
  status: number;
  ms: number;
  sentAt: number;
  worker: number;
  retryAfter: string | null;
}

/** After this time in ms, a request without a response counts as hanging. */
const responseLimit = 20_000;

const failurePause = 50;

/** Starts `workers` that send one request after the other, with a pause of `pause` ms, until stopped. */
export function startLoad(
  workers: number,
  send: (worker: number) => Promise<{ status: number; headers: Headers }>,
  pause = 0,
) {
  const outcomes: Outcome[] = [];
  let isStopped = false;

  async function work(worker: number): Promise<void> {
    while (!isStopped) {
      const sentAt = performance.now();
      const limit = setTimeout(responseLimit, undefined, { ref: false });
      const response = await Promise.race([send(worker), limit]).catch(() => {});
      const { status = 0, headers } = response ?? {};
      const retryAfter = headers?.get('retry-after') ?? null;
      const outcome = { status, ms: performance.now() - sentAt, sentAt, worker, retryAfter };
      outcomes.push(outcome);
      const wait = isFailed(outcome) ? Math.max(pause, failurePause) : pause;
      if (wait > 0) await setTimeout(wait);
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

export function isFailed({ status }: Outcome): boolean {
  return status < 200 || status > 299;
}

export function formatFigures(outcomes: readonly Outcome[]): string {
  const failed = outcomes.filter(isFailed);
  const unavailable = failed.filter(({ status }) => status === 503);
  const others = failed.length - unavailable.length;
  const slowest = Math.round(Math.max(0, ...outcomes.map(({ ms }) => ms)));
  const counts = `${outcomes.length - failed.length} 2xx, ${unavailable.length} 503, ${others} other`;
  return `${outcomes.length} requests, ${counts}, slowest ${slowest} ms`;
}
