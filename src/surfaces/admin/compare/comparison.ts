import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { compareOutcomes } from './differences.ts';
import { type Service, send } from './exchange.ts';
import type { readIds } from './ids.ts';
import type { RecordedRequest, readRecording } from './recording.ts';
import { endpointOf } from './route.ts';
import type { Tally } from './tally.ts';

interface Options {
  old: Service;
  new: Service;
  ids: Awaited<ReturnType<typeof readIds>>;
  /** Paths that may differ. */
  ignore: readonly RegExp[];
  /** Whether to send writes too; then all requests are sent one at a time, in order. */
  writes: boolean;
  concurrency: number;
  /** Requests per second. */
  rate: number;
  tally: Tally;
  onProgress(share: number): void;
}

export async function compare(recording: ReturnType<typeof readRecording>, options: Options): Promise<void> {
  const { ids, ignore, writes, tally } = options;
  let nextStart = 0;

  async function exchange(request: RecordedRequest): Promise<void> {
    const now = performance.now();
    nextStart = Math.max(now, nextStart + 1_000 / options.rate);
    await setTimeout(nextStart - now);
    // One id for both services, because responses may repeat it, and to find the request in both logs.
    request.headers['x-request-id'] ??= randomUUID();
    const translated = { ...request, path: ids.inPath(request.path), body: ids.inText(request.body) };
    const [old, other] = await Promise.all([send(options.old, request), send(options.new, translated)]);
    if ('body' in old) old.body = ids.inText(old.body);
    tally.add(request, [old, other], compareOutcomes(old, other, ignore));
  }

  async function work(): Promise<void> {
    for await (const { request, place, share } of recording) {
      if (request === undefined) tally.addUnreadable(place);
      else if (request !== 'not HTTP' && (writes || endpointOf(request).isRead)) await exchange(request);
      else tally.skipped += 1;
      options.onProgress(share);
    }
  }

  // All workers read from the same recording.
  await Promise.all(Array.from({ length: writes ? 1 : options.concurrency }, work));
}
