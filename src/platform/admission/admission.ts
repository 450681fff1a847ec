import { AppError } from '../../kernel/errors/app-error.ts';
import { Semaphore } from '../../kernel/semaphore.ts';

/** A request that gets its slot later than this before its deadline, in ms, would not finish. */
const minTimeLeft = 1_000;

/** A caller pauses after work that took longer, in ms. */
const pauseThreshold = 2;

/** In ms. */
const maxPause = 250;

/** Callers pause if another caller has sent a request within this time, in ms. */
const presenceWindow = 1_000;

/** A higher cost makes an operation large. A tag with its `itemIds`, or a search with `totalCount`, is small. */
const maxSmallCost = 5_500;

/** Identifies a caller: a partner id or, without a valid token, the client's address. */
type QueueKey = number | string;

const maxWaiting = 1_000;

const requestLimits = { perKey: 8, total: 64, maxWaiting };

/** The concurrency limits of a process. */
export class ConcurrencyLimits {
  /** A partner's first request may read only reference data, so it must not wait behind others that wait for PostgreSQL. */
  readonly partnerRequests = new Semaphore<QueueKey>({ ...requestLimits, guaranteed: 1 });
  /** They read only reference data. */
  readonly publicRequests = new Semaphore<QueueKey>(requestLimits);
  readonly largeOperations = new Semaphore<QueueKey>({ perKey: 1, total: 3, maxWaiting });
  /** Work on the event loop, such as parsing, and the pause after it. */
  readonly execution = new Semaphore<QueueKey>({ perKey: 1, maxWaiting });
  /** Writers by tag. Row locks would order them too, but waiting for one occupies a connection. */
  readonly writers = new Semaphore<string>({ perKey: 1, maxWaiting: 100 });

  #lastCaller: QueueKey | undefined;
  /** By performance.now(). */
  #changedAt = Number.NEGATIVE_INFINITY;

  recordCaller(caller: QueueKey, now: number): void {
    if (this.#lastCaller !== undefined && caller !== this.#lastCaller) this.#changedAt = now;
    this.#lastCaller = caller;
  }

  /** The pause after work that began at `start`, in ms: as long as the work took, while other callers are active. */
  getPause(start: number): number {
    const now = performance.now();
    const spent = now - start;
    return spent > pauseThreshold && now - this.#changedAt < presenceWindow ? Math.min(spent, maxPause) : 0;
  }

  get waiting(): number {
    const { partnerRequests, publicRequests, largeOperations, execution, writers } = this;
    const all = [partnerRequests, publicRequests, largeOperations, execution, writers];
    return all.reduce((total, { waiting }) => total + waiting, 0);
  }
}

interface Context {
  readonly address: string;
  /** Set once the token is checked. */
  readonly partner: number | undefined;
  /** How long the request has waited, in ms. */
  waitMs: number;
  readonly response: { once(event: 'prefinish' | 'close', listener: () => void): unknown };
  throwIfDisconnected(): void;
  startDeadline(): number;
}

/**
 * The waits of one request: for a slot of its caller, which it keeps until the response is complete; for the caller's pause;
 * for the caller's other large operation, if this one is large; and for earlier writers of its tags. Throws `overloaded` a
 * second before the deadline, or at once if too many requests wait.
 */
export class Admission {
  readonly #limits: ConcurrencyLimits;
  readonly #context: Context;
  /** Settles after the operation. */
  #ended: Promise<unknown> | undefined;
  /** By performance.now(). */
  #startedAt = 0;
  #isLarge = false;
  #releaseLarge: (() => void) | undefined;

  constructor(limits: ConcurrencyLimits, context: Context) {
    this.#limits = limits;
    this.#context = context;
  }

  /** Waits for a slot. Call it before parsing the body. */
  async enter(): Promise<void> {
    const { partner, response } = this.#context;
    const { partnerRequests, publicRequests } = this.#limits;
    const release = await this.#acquire(partner === undefined ? publicRequests : partnerRequests, this.#queueKey);
    this.#startedAt = performance.now();
    let isInside = true;
    const leave = async () => {
      await this.#ended;
      if (!isInside) return;
      isInside = false;
      runAfter(this.#limits.getPause(this.#startedAt), () => {
        this.#releaseLarge?.();
        release();
      });
    };
    // 'prefinish', which Node does not document: the response is complete, however slowly the client reads it.
    response.once('prefinish', leave);
    response.once('close', leave);
    await this.#startExecution();
  }

  /** Runs the operation, which keeps its slot to the end even if the client disconnects. */
  run<Result>(cost: number, operation: () => Promise<Result>): Promise<Result> {
    const result = cost > maxSmallCost ? this.#runLarge(operation) : operation();
    this.#ended = result.catch(() => {});
    return result;
  }

  async #runLarge<Result>(operation: () => Promise<Result>): Promise<Result> {
    this.#isLarge = true;
    await this.#enterLarge();
    this.#startedAt = performance.now();
    await this.#startExecution();
    return operation();
  }

  async #enterLarge(): Promise<void> {
    const release = await this.#acquire(this.#limits.largeOperations, this.#queueKey);
    this.#releaseLarge = () => {
      this.#releaseLarge = undefined;
      release();
    };
  }

  async #startExecution(): Promise<void> {
    const end = await this.#acquire(this.#limits.execution, this.#queueKey);
    const start = performance.now();
    this.#limits.recordCaller(this.#queueKey, start);
    // After the synchronous work that follows and its settled promises: until the first I/O of Apollo and the resolvers.
    process.nextTick(() => {
      const pause = this.#limits.getPause(start);
      if (pause > 0) setTimeout(end, pause);
      else end();
    });
  }

  /**
   * Runs a write after earlier writes with the same key in this process. Meanwhile, and during `waitForRowLock`, which waits
   * for writers of other processes, a large operation releases its slot for large operations.
   */
  async runExclusively<Result>(
    key: string,
    work: () => Promise<Result>,
    waitForRowLock: () => Promise<unknown>,
  ): Promise<Result> {
    this.#releaseLarge?.();
    const end = await this.#acquire(this.#limits.writers, key);
    try {
      if (this.#isLarge) {
        await waitForRowLock();
        await this.#enterLarge();
      }
      return await work();
    } finally {
      end();
    }
  }

  get #queueKey(): QueueKey {
    return this.#context.partner ?? this.#context.address;
  }

  async #acquire<Key>(semaphore: Semaphore<Key>, key: Key): Promise<() => void> {
    this.#context.throwIfDisconnected();
    const start = performance.now();
    const release = await semaphore
      .acquire(key, this.#context.startDeadline() - minTimeLeft, overloaded)
      .finally(() => {
        this.#context.waitMs += performance.now() - start;
      });
    try {
      this.#context.throwIfDisconnected();
      return release;
    } catch (error) {
      release();
      throw error;
    }
  }
}

function runAfter(pause: number, action: () => void): void {
  if (pause > 0) setTimeout(action, pause);
  else setImmediate(action);
}

const overloaded = () => new AppError('overloaded');
