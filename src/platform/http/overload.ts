import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { AppError } from '../../kernel/errors/app-error.ts';
import { entryOverhead, memoryBounds } from '../../kernel/memory-bounds.ts';
import { currentScope } from '../../kernel/request/scope.ts';
import { hashToken, parseBearer } from '../../kernel/token.ts';
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
export class LoadShedder {
  readonly #log: Logger;
  readonly #maxDelay: number;
  readonly #timer: NodeJS.Timeout | undefined;
  /** Requests in progress by group. */
  readonly #working = new Map<string, number>();
  /** Hashes of tokens that a request used successfully. Others share one limit, as a client can make them up. */
  readonly #liveTokens = new LRUCache<string, true>({
    maxSize: memoryBounds.liveTokens,
    sizeCalculation: (_, hash) => hash.length + entryOverhead,
  });
  // Not by monitorEventLoopDelay, whose reset() forgets when the loop ran last, and so misses every other stall.
  #lastTick = performance.now();
  #lastSample = performance.now();
  #longestDelay = 0;
  #wasLate = false;
  #factor = Number.POSITIVE_INFINITY;

  constructor(maxDelay: number, log: Logger) {
    this.#log = log;
    this.#maxDelay = maxDelay;
    if (maxDelay > 0) this.#timer = setInterval(() => this.#tick(), tickInterval).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  middleware(reject: Reject): Middleware {
    return (request, response, next) => {
      // The client closed the connection while its limits were counted.
      if (response.closed) return;
      const token = parseBearer(request.headers.authorization);
      const hash = token && hashToken(token);
      const group = isRefresh(response) ? refreshing : this.#groupOf(hash);
      const working = this.#working.get(group) ?? 0;
      if (working >= this.#limitOf(group)) {
        reject(response, new AppError('overloaded'));
        return;
      }
      this.#working.set(group, working + 1);
      const scope = currentScope();
      response.on('close', () => {
        const left = (this.#working.get(group) ?? 1) - 1;
        if (left === 0) this.#working.delete(group);
        else this.#working.set(group, left);
        if (hash !== undefined && scope?.partner !== undefined) this.#liveTokens.set(hash, true);
      });
      next();
    };
  }

  #groupOf(hash: string | undefined): string {
    if (hash === undefined) return anonymous;
    return this.#liveTokens.has(hash) ? hash : unchecked;
  }

  #limitOf(group: string): number {
    if (group !== anonymous) return this.#factor * groupLimit;
    // Those behind a slow request in one turn of the loop learn at once.
    const isLate = this.#timer !== undefined && performance.now() - this.#lastTick > this.#maxDelay;
    return isLate ? anonymousLimit : this.#factor * anonymousLimit;
  }

  #tick(): void {
    const now = performance.now();
    this.#longestDelay = Math.max(this.#longestDelay, now - this.#lastTick - tickInterval);
    this.#lastTick = now;
    if (now - this.#lastSample < sampleInterval) return;
    this.#sample(this.#longestDelay);
    this.#lastSample = now;
    this.#longestDelay = 0;
  }

  #sample(delay: number): void {
    const isLate = delay > this.#maxDelay;
    const isShedding = Number.isFinite(this.#factor);
    if (isLate && (isShedding || this.#wasLate)) this.#factor = 1;
    else if (this.#factor < maxFactor) this.#factor *= 2;
    else this.#factor = Number.POSITIVE_INFINITY;
    this.#wasLate = isLate;
    if (isShedding === Number.isFinite(this.#factor)) return;
    this.#log.warn({ delay: Math.round(delay) }, isShedding ? 'no longer overloaded' : 'overloaded');
  }
}
