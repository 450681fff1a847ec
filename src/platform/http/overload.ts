import type { Logger } from 'pino';
import { AppError } from '../../kernel/errors/app-error.ts';
import type { Answer } from './answer.ts';
import type { Middleware } from './middleware.ts';

/** How often the event loop is looked at, in ms; in an overload, for so long in each of its turns requests are taken. */
const tickInterval = 10;

/**
 * For so long, in ms, and so often, looks must find the loop late, without a pause as long as what counts as late: neither a
 * burst nor a halt is an overload.
 */
const lateTimeToBegin = 3_000;
const lateTicksToBegin = 5;

/** So many looks in a row must find the loop on time for it to be over: not a time, which passes while the loop stands too. */
const calmTicksToEnd = 100;

/** So many requests are worked on at once in an overload: enough to use the process, few enough to answer the others. */
const overloadConcurrency = 4;

/**
 * Knows when the process cannot keep up: once its event loop has been later than `maxDelay` ms (0: never) for a while, it
 * takes only what it can answer at once, until the loop was on time for a second. So the refused are answered fast and
 * those taken in time, where all would wait in a queue that only grows.
 */
export class LoadShedder {
  readonly #log: Logger;
  readonly #timer: NodeJS.Timeout | undefined;
  #lastTick = performance.now();
  #lateTicks = 0;
  #lateSince = 0;
  #lastLateTick = 0;
  #calmTicks = 0;
  #isOverloaded = false;
  #working = 0;

  constructor(maxDelay: number, log: Logger) {
    this.#log = log;
    if (maxDelay > 0) this.#timer = setInterval(() => this.#tick(maxDelay), tickInterval).unref();
  }

  /** Whether one more request can be taken; who takes it says when it is over. */
  admit(): boolean {
    // Within one turn of the loop too: what has come in since its last tick is as late as that.
    if (this.#isOverloaded && (this.#working >= overloadConcurrency || this.#delay() > 0)) return false;
    this.#working += 1;
    return true;
  }

  release(): void {
    this.#working -= 1;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #delay(): number {
    return performance.now() - this.#lastTick - tickInterval;
  }

  #tick(maxDelay: number): void {
    const delay = this.#delay();
    const now = performance.now();
    // Between two long turns of the loop there may be a short one.
    if (delay > maxDelay) {
      if (this.#lateTicks === 0) this.#lateSince = this.#lastTick;
      this.#lateTicks += 1;
      this.#lastLateTick = now;
    } else if (now - this.#lastLateTick > maxDelay) {
      this.#lateTicks = 0;
    }
    this.#lastTick = now;
    this.#calmTicks = delay > tickInterval / 2 ? 0 : this.#calmTicks + 1;
    if (this.#isOverloaded) {
      if (this.#calmTicks >= calmTicksToEnd) this.#become(false, delay);
    } else if (this.#lateTicks >= lateTicksToBegin && this.#lastTick - this.#lateSince > lateTimeToBegin) {
      this.#become(true, delay);
    }
  }

  #become(isOverloaded: boolean, delay: number): void {
    this.#isOverloaded = isOverloaded;
    this.#calmTicks = 0;
    this.#log.warn({ delay: Math.round(delay) }, isOverloaded ? 'overloaded' : 'no longer overloaded');
  }
}

/** Refuses what the process cannot take in an overload: 503 `overloaded`. */
export function shedLoad(shedder: LoadShedder, refuse: (response: Answer, error: unknown) => void): Middleware {
  const release = () => shedder.release();
  return (_request, response, next) => {
    // Its client left while its limits were asked for.
    if (response.closed) return;
    if (!shedder.admit()) {
      refuse(response, new AppError('overloaded'));
      return;
    }
    response.on('close', release);
    next();
  };
}
