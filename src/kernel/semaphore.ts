import { timeUntil } from './timeout.ts';

interface Queue {
  holders: number;
  waiting: (() => void)[];
}

interface Limits {
  /** Maximum holders of one key at a time. */
  perKey: number;
  /** Maximum callers that wait for one key. */
  maxWaiting?: number;
}

/** A semaphore for each key. Waiting callers proceed in order of arrival. */
export class Semaphore<Key> {
  readonly #limits: Limits;
  readonly #queues = new Map<Key, Queue>();

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Resolves to the release function. Rejects with `late()` at the deadline, or at once if too many callers wait. */
  async acquire(key: Key, deadline: number, late: () => Error): Promise<() => void> {
    const { perKey, maxWaiting = Number.POSITIVE_INFINITY } = this.#limits;
    const queue = this.#queues.get(key) ?? { holders: 0, waiting: [] };
    this.#queues.set(key, queue);
    if (queue.holders < perKey) queue.holders += 1;
    else if (queue.waiting.length < maxWaiting) await waitIn(queue, deadline, late);
    else throw late();
    return () => {
      const next = queue.waiting.shift();
      if (next !== undefined) return next();
      queue.holders -= 1;
      if (queue.holders === 0) this.#queues.delete(key);
    };
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
