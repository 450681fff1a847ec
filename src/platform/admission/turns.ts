import { Semaphore } from '../../kernel/semaphore.ts';

/** The most work in one iteration of the event loop, in ms; one long piece of work may exceed it. */
const budget = 10;

/** The most work of a caller without a pause, in ms. */
const shortWork = 2;

/** In ms. */
const longestPause = 100;

/** How long several callers count as present after the turn has last passed from one to another, in ms. */
const presence = 1_000;

/**
 * Spreads work that occupies the event loop over its iterations, so that steps of other requests come between: callers take
 * turns, and once their work has taken 10 ms, the next turn is in the next iteration. A caller whose work took more than
 * 2 ms then pauses for as long, unless nobody else is there.
 */
export class Turns<Key> {
  /** Held by a caller from its wait until the end of its pause. */
  readonly #callers = new Semaphore<Key>({ perKey: 1, maxWaiting: 1_000 });
  /** Held by the caller that works. */
  readonly #working = new Semaphore<Key>({ perKey: 1, total: 1 });
  /** Work since turns last waited for another iteration of the event loop, in ms. */
  #spent = 0;
  #lastKey: Key | undefined;
  /** When the key changed, by performance.now(). */
  #changedAt = Number.NEGATIVE_INFINITY;

  /** Number of requests that wait. */
  get waiting(): number {
    return this.#callers.waiting + this.#working.waiting;
  }

  /** Resolves when it is the caller's turn: its work begins at once, and ends when it waits for anything else. */
  async wait(key: Key, deadline: number, refuse: () => Error): Promise<void> {
    const releaseCaller = await this.#callers.acquire(key, deadline, refuse);
    const endWork = await this.#working.acquire(key, deadline, refuse).catch((error) => {
      releaseCaller();
      throw error;
    });
    // Not CPU time, whose clock has steps of several ms. Others wait for the elapsed time anyway.
    const began = performance.now();
    if (this.#lastKey !== undefined && key !== this.#lastKey) this.#changedAt = began;
    this.#lastKey = key;
    // Runs after the caller's work, up to where it waits for anything but a settled promise.
    process.nextTick(() => {
      const ended = performance.now();
      const spent = ended - began;
      const othersAreThere = ended - this.#changedAt < presence;
      if (othersAreThere && spent > shortWork) setTimeout(releaseCaller, Math.min(spent, longestPause));
      else releaseCaller();
      this.#spent += spent;
      if (this.#spent < budget) return endWork();
      setImmediate(() => {
        this.#spent = 0;
        endWork();
      });
    });
  }
}
