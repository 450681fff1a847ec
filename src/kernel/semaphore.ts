import { timeUntil } from './timeout.ts';

interface Queue {
  /** Number of holders. */
  active: number;
  /** Each lets a waiter proceed. */
  waiting: (() => void)[];
}

interface Limits {
  /** Maximum number of holders of one key. */
  perKey: number;
  /** Maximum number of holders of all keys. */
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
  #active = 0;

  constructor({ perKey, total = Number.POSITIVE_INFINITY, maxWaiting = Number.POSITIVE_INFINITY }: Limits) {
    this.#limits = { perKey, total, maxWaiting };
  }

  /** Number of waiters. */
  get waiting(): number {
    let total = 0;
    for (const { waiting } of this.#queues.values()) total += waiting.length;
    return total;
  }

  /** Resolves to the release function. Rejects with `createError()` at the deadline, or at once if there are too many waiters. */
  async acquire(key: Key, deadline: number, createError: () => Error): Promise<() => void> {
    const queue = this.#queues.get(key) ?? { active: 0, waiting: [] };
    this.#queues.set(key, queue);
    if (this.#hasCapacity(queue)) this.#change(key, queue, 1);
    else if (queue.waiting.length < this.#limits.maxWaiting) await this.#wait(queue, deadline, createError);
    else throw createError();
    return () => {
      this.#change(key, queue, -1);
      this.#proceed(key, queue);
    };
  }

  #wait(queue: Queue, deadline: number, createError: () => Error): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      queue.waiting.splice(queue.waiting.indexOf(proceed), 1);
      reject(createError());
    }, timeUntil(deadline));
    const proceed = () => {
      clearTimeout(timer);
      resolve();
    };
    queue.waiting.push(proceed);
    return promise;
  }

  /** Lets waiters proceed after a key's holder has left: of this key or, if they share a total, of the first that has room. */
  #proceed(key: Key, queue: Queue): void {
    const candidates = Number.isFinite(this.#limits.total) ? this.#queues : [[key, queue] as const];
    for (const [each, candidate] of candidates) {
      const [next] = candidate.waiting;
      if (next !== undefined && this.#hasCapacity(candidate)) {
        candidate.waiting.shift();
        this.#change(each, candidate, 1);
        next();
        return;
      }
      if (next === undefined && candidate.active === 0) this.#queues.delete(each);
    }
  }

  #hasCapacity({ active }: Queue): boolean {
    return active < this.#limits.perKey && this.#active < this.#limits.total;
  }

  #change(key: Key, queue: Queue, change: number): void {
    queue.active += change;
    this.#active += change;
    this.#queues.delete(key);
    this.#queues.set(key, queue);
  }
}
