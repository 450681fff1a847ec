import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { compareResponses, type Difference, type Rules } from './differences.ts';
import { createSend, type Failure, type Response, type Side } from './exchange.ts';
import type { Recorded, RecordedRequest, Skipped } from './recording.ts';
import { createEndpointOf, type Endpoint } from './route.ts';
import { Tally } from './tally.ts';

/** Requests in a row without a response after which a service counts as gone. */
const maxFailures = 50;

interface Options {
  old: Side;
  new: Side;
  rules: Rules;
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
  readonly #send;
  readonly #endpointOf = createEndpointOf();
  readonly #running = new Set<Promise<void>>();
  #nextStart = 0;
  #failuresInARow = 0;

  constructor(options: Options) {
    this.#options = options;
    this.#send = { old: createSend(options.old), new: createSend(options.new) };
    this.tally = new Tally(options.rules.redact);
  }

  /** Whether a service does not respond any more. */
  get isGone(): boolean {
    return this.#failuresInARow >= maxFailures;
  }

  /** Ends with the recording, or early: when interrupted, or when a service is gone. */
  async run(recording: AsyncIterable<Recorded>, onProgress: (share: number) => void): Promise<void> {
    try {
      for await (const { request, share } of recording) {
        if (typeof request === 'string') this.#skip(request);
        else await this.#begin(request);
        onProgress(share);
        if (this.#options.signal.aborted || this.isGone) break;
      }
    } finally {
      await Promise.all(this.#running);
    }
  }

  // Resolves when the next request may begin.
  async #begin(request: RecordedRequest): Promise<void> {
    const { writes, concurrency, rate, signal } = this.#options;
    const endpoint = this.#endpointOf(request);
    if (!endpoint.isRead && !writes) return this.#skip('writes');
    while (this.#running.size >= (endpoint.isRead ? concurrency : 1)) await Promise.race(this.#running);
    const now = performance.now();
    this.#nextStart = Math.max(now, this.#nextStart + 1_000 / rate);
    if (this.#nextStart > now) await setTimeout(this.#nextStart - now, undefined, { signal }).catch(() => {});
    const running = this.#exchange(request, endpoint).finally(() => this.#running.delete(running));
    this.#running.add(running);
    if (!endpoint.isRead) await running;
  }

  async #exchange(request: RecordedRequest, endpoint: Endpoint): Promise<void> {
    const { rules, signal } = this.#options;
    // One id for both, so that responses may repeat it, and the logs of both services have it.
    request.headers['x-request-id'] ??= randomUUID();
    const responses = await Promise.all([this.#send.old(request), this.#send.new(rules.ids.request(request))]);
    if (signal.aborted) return;
    const [old, other] = responses;
    const isFailed = 'failure' in old || 'failure' in other;
    this.#failuresInARow = isFailed ? this.#failuresInARow + 1 : 0;
    const differences = isFailed ? [failure(old, other)] : compareResponses(old, other, rules);
    this.tally.add(request, endpoint, responses, differences);
  }

  #skip(reason: Skipped): void {
    this.skipped.set(reason, (this.skipped.get(reason) ?? 0) + 1);
  }
}

function failure(old: Response | Failure, other: Response | Failure): Difference {
  const shown = (response: Response | Failure) =>
    'failure' in response ? response.failure : `status ${response.status}`;
  return { kind: 'failed', old: shown(old), new: shown(other) };
}
