import { timeUntil } from './timeout.ts';

interface Queue {
  active: number;
  waiting: (() => void)[];
}

interface Limits {
  perKey: number;
  total?: number;
  /** A key with fewer active does not wait, even if the total is used up. */
  guaranteed?: number;
  maxWaiting?: number;
}

/** A semaphore for each key, first come, first served. Keys that share a `total` acquire it round robin. */
export class Semaphore<Key> {
  readonly #limits: Required<Limits>;
  /** The first key is the next to acquire. */
  readonly #queues = new Map<Key, Queue>();
  #active = 0;

  constructor({
    perKey,
    total = Number.POSITIVE_INFINITY,
    guaranteed = 0,
    maxWaiting = Number.POSITIVE_INFINITY,
  }: Limits) {
    this.#limits = { perKey, total, guaranteed, maxWaiting };
  }

  get waiting(): number {
    let total = 0;
    for (const { waiting } of this.#queues.values()) total += waiting.length;
    return total;
  }

  /** Resolves to the release function. Rejects with `createError()` at the deadline or if the queue is full. */
  async acquire(key: Key, deadline: number, createError: () => Error): Promise<() => void> {
    const queue = this.#queues.get(key) ?? { active: 0, waiting: [] };
    this.#queues.set(key, queue);
    if (this.#hasCapacity(queue)) this.#addActive(key, queue, 1);
    else if (queue.waiting.length < this.#limits.maxWaiting) await this.#wait(queue, deadline, createError);
    else throw createError();
    return () => {
      this.#addActive(key, queue, -1);
      this.#admitWaiting(key, queue);
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

  #admitWaiting(key: Key, queue: Queue): void {
    const candidates = Number.isFinite(this.#limits.total) ? this.#queues : [[key, queue] as const];
    // A key that acquires moves to the end of the map, so this loop visits it again.
    for (const [candidateKey, candidate] of candidates) {
      const [next] = candidate.waiting;
      if (next !== undefined && this.#hasCapacity(candidate)) {
        candidate.waiting.shift();
        this.#addActive(candidateKey, candidate, 1);
        next();
      }
      if (next === undefined && candidate.active === 0) this.#queues.delete(candidateKey);
    }
  }

  #hasCapacity({ active }: Queue): boolean {
    const { perKey, total, guaranteed } = this.#limits;
    return active < perKey && (active < guaranteed || this.#active < total);
  }

  #addActive(key: Key, queue: Queue, difference: number): void {
    queue.active += difference;
    this.#active += difference;
    this.#queues.delete(key);
    this.#queues.set(key, queue);
  }
}
