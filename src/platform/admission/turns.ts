import { Semaphore } from '../../kernel/semaphore.ts';

/** The most work in one turn of the event loop, in ms of CPU time; the last of it may take longer. */
const budget = 2;

/** In ms. */
const longestPause = 100;

/** How long several callers count as present after the turn has last passed from one to another, in ms. */
const presence = 1_000;

/**
 * Spreads work that occupies the event loop over its turns, so that other callers' steps come between: callers take turns,
 * and once the work of one turn of the event loop has taken 2 ms, the rest waits for the next one. If it took longer,
 * a pause of the excess follows, unless nobody else is there.
 */
export class Turns<Key> {
  readonly #places = new Semaphore<Key>({ perKey: 1, total: 1, maxWaiting: 1_000 });
  /** When the work of this turn of the event loop began, in CPU time; undefined if there was none yet. */
  #began: number | undefined;
  /** Lets the next caller work, in the next turn of the event loop. */
  #next: (() => void) | undefined;
  #lastKey: Key | undefined;
  /** When the key changed, by performance.now(). */
  #changedAt = Number.NEGATIVE_INFINITY;

  /** Number of waiting callers. */
  get waiting(): number {
    return this.#places.waiting;
  }

  /** Resolves when it is the caller's turn: its work begins at once, and ends when it waits for anything else. */
  async wait(key: Key, deadline: number, late: () => Error): Promise<void> {
    const release = await this.#places.acquire(key, deadline, late);
    if (this.#lastKey !== undefined && key !== this.#lastKey) this.#changedAt = performance.now();
    this.#lastKey = key;
    this.#began ??= this.#begin();
    const began = this.#began;
    // Runs after the caller's work, up to where it waits for anything but a settled promise.
    process.nextTick(() => {
      if (cpuTime() - began < budget) release();
      else this.#next = release;
    });
  }

  /** Begins the work of a turn of the event loop; returns when. */
  #begin(): number {
    const began = cpuTime();
    setImmediate(() => this.#end(cpuTime() - began - budget));
    return began;
  }

  #end(excess: number): void {
    const next = this.#next;
    this.#began = undefined;
    this.#next = undefined;
    const isShared = performance.now() - this.#changedAt < presence;
    if (next && isShared && excess >= 1) setTimeout(next, Math.min(excess, longestPause));
    else next?.();
  }
}

/** CPU time of the event loop's thread, in ms. */
function cpuTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
