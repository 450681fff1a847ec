import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { compareResponses, type Difference, type Rules } from './differences.ts';
import type { Outcome, Send } from './exchange.ts';
import type { Recorded, RecordedRequest, Skipped } from './recording.ts';
import { type Endpoint, endpointOf } from './route.ts';
import { Tally } from './tally.ts';

/** Requests in a row without a response after which a service counts as gone. */
const maxFailures = 50;

interface Options extends Rules {
  old: Send;
  new: Send;
  /** Whether to send requests that change something, each by itself and in their order. */
  writes: boolean;
  concurrency: number;
  /** Requests per second. */
  rate: number;
  signal: AbortSignal;
}

/** Sends recorded requests to both services, and compares the responses. */
export class Comparison {
  readonly tally: Tally;
  readonly skipped = new Map<Skipped, number>();
  readonly #options: Options;
  readonly #running = new Set<Promise<void>>();
  #nextStart = 0;
  #failuresInARow = 0;

  constructor(options: Options) {
    this.#options = options;
    this.tally = new Tally(options.redact);
  }

  /** Whether a service does not respond any more. */
  get isGone(): boolean {
    return this.#failuresInARow >= maxFailures;
  }

  /** Ends with the recording, or early: when interrupted, or when a service is gone. */
  async run(recording: AsyncIterable<Recorded>, onProgress: (share: number) => void): Promise<void> {
    try {
      for await (const { request, share } of recording) {
        const skipped = typeof request === 'string' ? request : await this.#begin(request);
        if (skipped) this.skipped.set(skipped, (this.skipped.get(skipped) ?? 0) + 1);
        onProgress(share);
        if (this.#options.signal.aborted || this.isGone) break;
      }
    } finally {
      await Promise.all(this.#running);
    }
  }

  // Resolves when the next request may begin.
  async #begin(request: RecordedRequest): Promise<Skipped | undefined> {
    const { writes, concurrency, rate, signal } = this.#options;
    const endpoint = endpointOf(request);
    if (!endpoint.isRead && !writes) return 'writes';
    while (this.#running.size >= (endpoint.isRead ? concurrency : 1)) await Promise.race(this.#running);
    const now = performance.now();
    this.#nextStart = Math.max(now, this.#nextStart + 1_000 / rate);
    if (this.#nextStart > now) await setTimeout(this.#nextStart - now, undefined, { signal }).catch(() => {});
    const running = this.#exchange(request, endpoint).finally(() => this.#running.delete(running));
    this.#running.add(running);
    if (!endpoint.isRead) await running;
    return undefined;
  }

  async #exchange(request: RecordedRequest, endpoint: Endpoint): Promise<void> {
    const { old, new: other, ids, signal } = this.#options;
    // One id for both, so that responses may repeat it, and the logs of both services have it.
    request.headers['x-request-id'] ??= randomUUID();
    const outcomes = await Promise.all([old(request), other(ids.request(request))]);
    if (signal.aborted) return;
    const differences = this.#compare(...outcomes);
    this.#failuresInARow = differences[0]?.kind === 'failed' ? this.#failuresInARow + 1 : 0;
    this.tally.add(request, endpoint, outcomes, differences);
  }

  #compare(old: Outcome, other: Outcome): Difference[] {
    if (!('failure' in old) && !('failure' in other)) return compareResponses(old, other, this.#options);
    const shown = (each: Outcome) => ('failure' in each ? each.failure : `status ${each.status}`);
    return [{ kind: 'failed', old: shown(old), new: shown(other) }];
  }
}
