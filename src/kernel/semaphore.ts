import { timeUntil } from './timeout.ts';

interface Waiting {
  weight: number;
  proceed(): void;
}

interface Queue {
  /** The weight of its holders. */
  held: number;
  waiting: Waiting[];
}

interface Limits {
  /** Maximum weight of the holders of one key at a time. */
  perKey: number;
  /** Maximum weight of the holders of all keys. */
  total?: number;
  /** Maximum number of waiters of one key. */
  maxWaiting?: number;
}

/**
 * A semaphore for each key. The waiters of a key proceed in order of arrival. Keys that share a `total` take turns:
 * a key that has just acquired or released it is the last to acquire it again.
 */
export class Semaphore<Key> {
  readonly #limits: Required<Limits>;
  /** In the order of the turns. */
  readonly #queues = new Map<Key, Queue>();
  #held = 0;
  /** Whether a waiter waits for the `total` alone: nobody else proceeds before it, however light. */
  #isBlocked = false;

  constructor({ perKey, total = Number.POSITIVE_INFINITY, maxWaiting = Number.POSITIVE_INFINITY }: Limits) {
    this.#limits = { perKey, total, maxWaiting };
  }

  /** Number of waiters. */
  get waiting(): number {
    let total = 0;
    for (const { waiting } of this.#queues.values()) total += waiting.length;
    return total;
  }

  /**
   * Resolves to the release function. Rejects with `refuse()` at the deadline, or at once if there are too many waiters.
   * `weight` is at most `perKey`.
   */
  async acquire(key: Key, deadline: number, refuse: () => Error, weight = 1): Promise<() => void> {
    const queue = this.#queues.get(key) ?? { held: 0, waiting: [] };
    this.#queues.set(key, queue);
    const isFree = queue.waiting.length === 0 && !this.#isBlocked && this.#fits(queue, weight);
    if (isFree) this.#hold(key, queue, weight);
    else if (queue.waiting.length < this.#limits.maxWaiting) await this.#wait(key, queue, deadline, refuse, weight);
    else throw refuse();
    return () => {
      this.#hold(key, queue, -weight);
      this.#proceed(key, queue);
    };
  }

  #wait(key: Key, queue: Queue, deadline: number, refuse: () => Error, weight: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      queue.waiting.splice(queue.waiting.indexOf(waiting), 1);
      reject(refuse());
      // A lighter one may have waited behind it.
      this.#proceed(key, queue);
    }, timeUntil(deadline));
    const waiting: Waiting = {
      weight,
      proceed: () => {
        clearTimeout(timer);
        resolve();
      },
    };
    queue.waiting.push(waiting);
    if (queue.waiting.length === 1 && this.#hasShare(queue, weight)) this.#isBlocked = true;
    return promise;
  }

  /** Lets waiters proceed after a change of a key's holders or waiters. */
  #proceed(key: Key, queue: Queue): void {
    if (Number.isFinite(this.#limits.total)) this.#takeTurns();
    else {
      // Keys do not wait for each other, and there may be thousands.
      while (this.#letNextProceed(key, queue));
      if (queue.held === 0) this.#queues.delete(key);
    }
  }

  /** Lets waiters of all keys proceed in turn. */
  #takeTurns(): void {
    this.#isBlocked = false;
    for (const [key, queue] of this.#queues) {
      const [next] = queue.waiting;
      if (next === undefined) {
        if (queue.held === 0) this.#queues.delete(key);
        // After it has proceeded, the key is at the end, where the loop meets it again.
      } else if (!this.#letNextProceed(key, queue) && this.#hasShare(queue, next.weight)) {
        this.#isBlocked = true;
        return;
      }
    }
  }

  /** Lets the first waiter of a key proceed if there is room for it; returns whether there was one. */
  #letNextProceed(key: Key, queue: Queue): boolean {
    const [next] = queue.waiting;
    if (next === undefined || !this.#fits(queue, next.weight)) return false;
    queue.waiting.shift();
    this.#hold(key, queue, next.weight);
    next.proceed();
    return true;
  }

  #fits(queue: Queue, weight: number): boolean {
    return this.#hasShare(queue, weight) && this.#held + weight <= this.#limits.total;
  }

  #hasShare({ held }: Queue, weight: number): boolean {
    return held + weight <= this.#limits.perKey;
  }

  #hold(key: Key, queue: Queue, change: number): void {
    queue.held += change;
    this.#held += change;
    this.#queues.delete(key);
    this.#queues.set(key, queue);
  }
}
