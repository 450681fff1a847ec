import { monitorEventLoopDelay } from 'node:perf_hooks';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { AppError } from '../../kernel/errors/app-error.ts';
import { entryOverhead, memoryBounds } from '../../kernel/memory-bounds.ts';
import { currentScope } from '../../kernel/request/scope.ts';
import { hashToken, parseBearer } from '../../kernel/token.ts';
import type { Middleware, Reject } from './middleware.ts';

/** How often the delay of the event loop is sampled, in ms. */
const sampleInterval = 200;

/** Requests in progress in an overload: without a token, with tokens not checked lately, and with each live token. */
const anonymousLimit = 4;
const tokenLimit = 16;
const anonymous = 'anonymous';
const unchecked = 'unchecked';

/** The limits double with each sample without delay, up to this factor; then the overload is over: within a second. */
const maxFactor = 8;

/**
 * Sheds load where it comes from while the process cannot keep up: while its event loop is later than `maxDelay` ms (0: never)
 * in two samples in a row. Each caller may then have few requests in progress, and its further ones are rejected with 503
 * `overloaded`; a partner that sends one request after the other loses none.
 */
export class LoadShedder {
  readonly #log: Logger;
  readonly #maxDelay: number;
  readonly #delay = monitorEventLoopDelay({ resolution: 20 });
  readonly #timer: NodeJS.Timeout | undefined;
  /** Requests in progress by caller: the hash of a live token, or one of the two groups of others. */
  readonly #working = new Map<string, number>();
  /** Hashes of tokens that a request used successfully. Others share one limit, as a client can make them up. */
  readonly #liveTokens = new LRUCache<string, true>({
    maxSize: memoryBounds.liveTokens,
    sizeCalculation: (_, hash) => hash.length + entryOverhead,
  });
  #wasLate = false;
  #factor = Number.POSITIVE_INFINITY;

  constructor(maxDelay: number, log: Logger) {
    this.#log = log;
    this.#maxDelay = maxDelay;
    if (maxDelay === 0) return;
    this.#delay.enable();
    this.#timer = setInterval(() => this.#sample(), sampleInterval).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#delay.disable();
  }

  middleware(reject: Reject): Middleware {
    return (request, response, next) => {
      // The client closed the connection while its limits were counted.
      if (response.closed) return;
      const token = parseBearer(request.headers.authorization);
      const hash = token && hashToken(token);
      const caller = hash === undefined ? anonymous : this.#liveTokens.has(hash) ? hash : unchecked;
      const working = this.#working.get(caller) ?? 0;
      if (working >= this.#factor * (caller === anonymous ? anonymousLimit : tokenLimit)) {
        reject(response, new AppError('overloaded'));
        return;
      }
      this.#working.set(caller, working + 1);
      const scope = currentScope();
      response.on('close', () => {
        const left = (this.#working.get(caller) ?? 1) - 1;
        if (left === 0) this.#working.delete(caller);
        else this.#working.set(caller, left);
        if (hash !== undefined && scope?.partner !== undefined) this.#liveTokens.set(hash, true);
      });
      next();
    };
  }

  #sample(): void {
    const delay = this.#delay.max / 1e6;
    this.#delay.reset();
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
