import { timeUntil } from './timeout.ts';

interface Queue {
  holders: number;
  waiting: (() => void)[];
}

interface Limits {
  /** Maximum holders of one key at a time. */
  perKey: number;
  /** Maximum holders of all keys together. */
  total?: number;
  /** Maximum callers that wait for one key. */
  maxWaiting?: number;
}

/**
 * A semaphore for each key. Waiting callers of a key proceed in order of arrival. Keys that share a `total` take turns:
 * a key that gives a place back is the last to get another one.
 */
export class Semaphore<Key> {
  readonly #limits: Limits;
  /** In the order of the turns. */
  readonly #queues = new Map<Key, Queue>();
  #holders = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Number of waiting callers. */
  get waiting(): number {
    let total = 0;
    for (const { waiting } of this.#queues.values()) total += waiting.length;
    return total;
  }

  /** Resolves to the release function. Rejects with `late()` at the deadline, or at once if too many callers wait. */
  async acquire(key: Key, deadline: number, late: () => Error): Promise<() => void> {
    const { perKey, total = Number.POSITIVE_INFINITY, maxWaiting = Number.POSITIVE_INFINITY } = this.#limits;
    const queue = this.#queues.get(key) ?? { holders: 0, waiting: [] };
    this.#queues.set(key, queue);
    if (queue.holders < perKey && this.#holders < total) this.#count(queue, 1);
    else if (queue.waiting.length < maxWaiting) await waitIn(queue, deadline, late);
    else throw late();
    return () => this.#release(key, queue);
  }

  #release(key: Key, queue: Queue): void {
    this.#count(queue, -1);
    this.#queues.delete(key);
    this.#queues.set(key, queue);
    // Without a `total`, only this key has a place to give.
    const candidates = this.#limits.total === undefined ? ([[key, queue]] as const) : this.#queues;
    for (const [candidate, other] of candidates) {
      const proceed = other.holders < this.#limits.perKey ? other.waiting.shift() : undefined;
      if (proceed !== undefined) {
        this.#count(other, 1);
        proceed();
        return;
      }
      if (other.holders === 0 && other.waiting.length === 0) this.#queues.delete(candidate);
    }
  }

  #count(queue: Queue, change: 1 | -1): void {
    queue.holders += change;
    this.#holders += change;
  }
}

function waitIn({ waiting }: Queue, deadline: number, late: () => Error): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(() => {
    waiting.splice(waiting.indexOf(proceed), 1);
    reject(late());
  }, timeUntil(deadline));
  const proceed = () => {
    clearTimeout(timer);
    resolve();
  };
  waiting.push(proceed);
  return promise;
}
