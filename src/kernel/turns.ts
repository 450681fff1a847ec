interface Queue {
  holders: number;
  waiting: (() => void)[];
}

interface Limits {
  /** Holders of one key at a time. */
  perKey: number;
  /** Holders of all keys together. */
  total?: number;
  /** Requests that may wait for one key. */
  maxWaiting?: number;
}

/** Lets a number of holders proceed at a time: of each key, and then of all keys. Others wait in order of arrival. */
export class Turns<Key> {
  readonly #limit: number;
  readonly #maxWaiting: number;
  readonly #queues = new Map<Key, Queue>();
  readonly #all: Turns<'all'> | undefined;

  constructor({ perKey, total, maxWaiting = Number.POSITIVE_INFINITY }: Limits) {
    this.#limit = perKey;
    this.#maxWaiting = maxWaiting;
    this.#all = total === undefined ? undefined : new Turns({ perKey: total });
  }

  /** Waits for a turn and resolves to the function that ends it; rejects with `late()` after `ms`, or if too many wait. */
  async take(key: Key, ms: number | undefined, late: () => Error): Promise<() => void> {
    const start = performance.now();
    const end = await this.#takeOfKey(key, ms, late);
    if (this.#all === undefined) return end;
    try {
      const timeLeft = ms && Math.max(1, start + ms - performance.now());
      const endOfAll = await this.#all.take('all', timeLeft, late);
      return () => {
        endOfAll();
        end();
      };
    } catch (error) {
      end();
      throw error;
    }
  }

  #takeOfKey(key: Key, ms: number | undefined, late: () => Error): Promise<() => void> {
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
