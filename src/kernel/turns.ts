interface Queue {
  holders: number;
  waiting: (() => void)[];
}

/** Lets at most `limit` holders of a key proceed at a time; up to `maxWaiting` more wait in order of arrival. */
export class Turns<Key> {
  readonly #limit: number;
  readonly #maxWaiting: number;
  readonly #queues = new Map<Key, Queue>();

  constructor(limit: number, maxWaiting = Number.POSITIVE_INFINITY) {
    this.#limit = limit;
    this.#maxWaiting = maxWaiting;
  }

  /** Waits for a turn and resolves to the function that ends it; rejects with `late()` after `ms`, or if too many wait. */
  take(key: Key, ms: number | undefined, late: () => Error): Promise<() => void> {
    const queue = this.#queues.get(key) ?? { holders: 0, waiting: [] };
    this.#queues.set(key, queue);
    if (queue.holders < this.#limit) {
      queue.holders += 1;
      return Promise.resolve(this.#end(key, queue));
    }
    if (queue.waiting.length >= this.#maxWaiting) return Promise.reject(late());
    return new Promise((resolve, reject) => {
      const proceed = () => {
        clearTimeout(timer);
        resolve(this.#end(key, queue));
      };
      const timer =
        ms === undefined
          ? undefined
          : setTimeout(() => {
              queue.waiting.splice(queue.waiting.indexOf(proceed), 1);
              reject(late());
            }, ms);
      queue.waiting.push(proceed);
    });
  }

  #end(key: Key, queue: Queue): () => void {
    return () => {
      const next = queue.waiting.shift();
      if (next !== undefined) return next();
      queue.holders -= 1;
      if (queue.holders === 0) this.#queues.delete(key);
    };
  }
}
