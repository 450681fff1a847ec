import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { AppError } from '../../kernel/errors/app-error.ts';
import { entryOverhead, memoryBounds } from '../../kernel/memory-bounds.ts';
import { currentScope } from '../../kernel/request/scope.ts';
import type { Middleware, Reject } from './middleware.ts';
import { isRefresh } from './response-cache.ts';

/** How often the delay of the event loop is measured, and for how long its longest one counts, in ms. */
const tickInterval = 20;
const sampleInterval = 200;

/** Requests in progress in an overload: without a token, and in each other group (a live token is a group). */
const anonymousLimit = 4;
const groupLimit = 16;
const anonymous = 'without a token';
const unchecked = 'with a token that was not checked lately';
const refreshing = 'for an outdated cached response';

/** The limits double with each sample without delay, up to this factor; then the overload is over: within a second. */
const maxFactor = 8;

/**
 * Sheds load where it comes from while the process cannot keep up: while its event loop is later than `maxDelay` ms (0: never)
 * in two samples in a row, or for requests without a token in one. Each group of callers may then have few requests in progress,
 * and further ones are rejected with 503 `overloaded`; a partner that sends one request after the other loses none.
 */
export function createLoadShedder(maxDelay: number, log: Logger) {
  /** Requests in progress by group. */
  const working = new Map<string, number>();
  /** Hashes of tokens that a request used successfully. Others share one limit, as a client can make them up. */
  const liveTokens = new LRUCache<string, true>({
    maxSize: memoryBounds.liveTokens,
    sizeCalculation: (_, hash) => hash.length + entryOverhead,
  });
  const isTooLate = (delay: number) => maxDelay > 0 && delay > maxDelay;
  // Not by monitorEventLoopDelay, whose reset() forgets when the loop ran last, and so misses every other stall.
  let lastTick = performance.now();
  let lastSample = lastTick;
  let longestDelay = 0;
  let wasLate = false;
  let factor = Number.POSITIVE_INFINITY;

  const tick = () => {
    const now = performance.now();
    longestDelay = Math.max(longestDelay, now - lastTick - tickInterval);
    lastTick = now;
    if (now - lastSample < sampleInterval) return;
    const isLate = isTooLate(longestDelay);
    const wasShedding = Number.isFinite(factor);
    if (isLate && (wasShedding || wasLate)) factor = 1;
    else factor = factor < maxFactor ? 2 * factor : Number.POSITIVE_INFINITY;
    if (wasShedding !== Number.isFinite(factor)) {
      log.warn({ delay: Math.round(longestDelay) }, wasShedding ? 'no longer overloaded' : 'overloaded');
    }
    wasLate = isLate;
    lastSample = now;
    longestDelay = 0;
  };
  const timer = setInterval(tick, tickInterval).unref();

  const groupOf = (hash: string | undefined) => {
    if (hash === undefined) return anonymous;
    return liveTokens.has(hash) ? hash : unchecked;
  };
  const limitOf = (group: string) => {
    if (group !== anonymous) return factor * groupLimit;
    // Those behind a slow request in one turn of the loop learn at once.
    return (isTooLate(performance.now() - lastTick) ? 1 : factor) * anonymousLimit;
  };

  return {
    middleware(reject: Reject): Middleware {
      return (_request, response, next) => {
        // The client closed the connection while its limits were counted.
        if (response.closed) return;
        const hash = currentScope()?.tokenHash;
        const group = isRefresh(response) ? refreshing : groupOf(hash);
        const inProgress = working.get(group) ?? 0;
        if (inProgress >= limitOf(group)) return reject(response, new AppError('overloaded'));
        working.set(group, inProgress + 1);
        const scope = currentScope();
        response.on('close', () => {
          const left = (working.get(group) ?? 1) - 1;
          if (left === 0) working.delete(group);
          else working.set(group, left);
          if (hash !== undefined && scope?.partner !== undefined) liveTokens.set(hash, true);
        });
        next();
      };
    },
    stop: () => clearInterval(timer),
  };
}
