import { setTimeout } from 'node:timers/promises';
import type { Outcome } from './load.ts';

/** How often due requests are sent, in ms. */
const tick = 10;

/** A request that has no answer after so many ms hangs. */
const answerLimit = 20_000;

export interface PacedOutcome extends Outcome {
  /** When it was sent (performance.now()). */
  sentAt: number;
}

/** Sends so many requests a second, each kind in turn, whether or not those before are answered, until it is stopped. */
export function startPacedLoad(rate: number, kinds: (() => Promise<{ status: number; headers: Headers }>)[]) {
  const outcomes: PacedOutcome[] = [];
  const waiting = new Set<Promise<void>>();
  const begin = performance.now();
  let sent = 0;

  async function request(): Promise<void> {
    const sentAt = performance.now();
    const kind = kinds[sent++ % kinds.length] as (typeof kinds)[number];
    const answer = await Promise.race([kind(), setTimeout(answerLimit, undefined, { ref: false })]).catch(() => {});
    const retryAfter = answer?.headers.get('retry-after') ?? null;
    outcomes.push({ status: answer?.status ?? 0, ms: performance.now() - sentAt, retryAfter, sentAt });
  }
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - begin) / 1_000) * rate);
    while (sent < due) {
      const sending = request().finally(() => waiting.delete(sending));
      waiting.add(sending);
    }
  }, tick);

  return {
    /** Sends no more; resolves when the last is answered. */
    async stop(): Promise<PacedOutcome[]> {
      clearInterval(timer);
      await Promise.all(waiting);
      return outcomes;
    },
  };
}
