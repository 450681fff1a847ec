import type { ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { AppError } from '../errors/app-error.ts';
import type { Middleware } from './middleware.ts';

// All in ms. How often the event loop is looked at; how late it may be in an overload; how long an overload outlives the
// last refusal.
const tickInterval = 20;
const calmDelay = 20;
const calmTime = 1_000;

/** So many looks in a row must find the loop late: a single slow request is no overload. */
const lateTicks = 3;

/** So many requests are worked on at once in an overload: enough to use the process, few enough to answer the others. */
const overloadConcurrency = 16;

/**
 * Knows when the process cannot keep up: once its event loop has been later than `maxDelay` ms (0: never) for a while, it
 * takes only what it can answer at once, until nothing had to be refused for a second. So the refused are answered fast and
 * those taken in time, where all would wait in a queue that only grows.
 */
export class LoadShedder {
  readonly #timer: NodeJS.Timeout | undefined;
  #lastTick = performance.now();
  #lateTicks = 0;
  #isOverloaded = false;
  #refusedAt = 0;
  #working = 0;

  constructor(maxDelay: number, log: Logger) {
    if (maxDelay > 0) this.#timer = setInterval(() => this.#tick(maxDelay, log), tickInterval).unref();
  }

  /** Whether one more request can be taken. Who takes it says when it is over. */
  admit(): boolean {
    // Within one turn of the loop too: what has come in since its last tick is as late as that.
    const delay = performance.now() - this.#lastTick - tickInterval;
    if (this.#isOverloaded && (this.#working >= overloadConcurrency || delay > calmDelay)) {
      this.#refusedAt = performance.now();
      return false;
    }
    this.#working += 1;
    return true;
  }

  release(): void {
    this.#working -= 1;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #tick(maxDelay: number, log: Logger): void {
    const now = performance.now();
    const delay = now - this.#lastTick - tickInterval;
    this.#lastTick = now;
    this.#lateTicks = delay > maxDelay ? this.#lateTicks + 1 : 0;
    if (this.#lateTicks >= lateTicks) this.#refusedAt = now;
    const isOverloaded = this.#refusedAt > 0 && now - this.#refusedAt < calmTime;
    if (isOverloaded !== this.#isOverloaded)
      log.warn({ delay: Math.round(delay) }, isOverloaded ? 'overloaded' : 'no longer overloaded');
    this.#isOverloaded = isOverloaded;
  }
}

/** Refuses what the process cannot take in an overload: 503 `overloaded`. */
export function shedLoad(shedder: LoadShedder, refuse: (response: ServerResponse, error: unknown) => void): Middleware {
  return (_request, response, next) => {
    if (!shedder.admit()) return refuse(response, new AppError('overloaded'));
    response.once('close', () => shedder.release());
    next();
  };
}
