import { AppError } from '../../kernel/errors/app-error.ts';
import { Semaphore } from '../../kernel/semaphore.ts';

/** Minimum time between the beginning of work and the deadline, in ms: work that is cut off helps nobody. */
const minTimeLeft = 1_000;

/** A caller pauses after work or a request that took longer than this, in ms. */
const pauseThreshold = 2;

/** In ms. */
const maxPause = 250;

/** Callers pause for each other for this time after requests of two have alternated, in ms. */
const presence = 1_000;

/** A higher cost makes an operation large. A tag with its `itemIds`, or a search with its count, is not. */
const maxSmallCost = 5_500;

/** A partner by its id or, without a live token, the client's address. */
type Caller = number | string;

const maxWaiting = 1_000;

/** From before a request is parsed until its response is made. */
const requestLimits = { perKey: 8, total: 64, maxWaiting };

/** What a process works on at a time, for all of its requests. */
export class Capacity {
  readonly partnerRequests = new Semaphore<Caller>(requestLimits);
  /** They read only reference data, which is in memory, so they do not wait behind partners that wait for PostgreSQL. */
  readonly publicRequests = new Semaphore<Caller>(requestLimits);
  readonly largeOperations = new Semaphore<Caller>({ perKey: 1, total: 3, maxWaiting });
  /** Work on the event loop, such as parsing, and the caller's pause after it. */
  readonly execution = new Semaphore<Caller>({ perKey: 1, maxWaiting });
  /** Writers of the same tag. The locks of the rows would order them too, but waiting for one holds a connection. */
  readonly writers = new Semaphore<string>({ perKey: 1, maxWaiting: 100 });

  #lastCaller: Caller | undefined;
  /** When the caller last changed, by performance.now(). */
  #changedAt = Number.NEGATIVE_INFINITY;

  recordCaller(caller: Caller, now: number): void {
    if (this.#lastCaller !== undefined && caller !== this.#lastCaller) this.#changedAt = now;
    this.#lastCaller = caller;
  }

  /** How long a caller pauses after work that began at `start`, in ms: as long as it took, while others are present. */
  getPause(start: number): number {
    const now = performance.now();
    const spent = now - start;
    return spent > pauseThreshold && now - this.#changedAt < presence ? Math.min(spent, maxPause) : 0;
  }

  /** Number of requests that wait. */
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
  requireClient(): void;
  startDeadline(): number;
}

/**
 * What one request waits for: a place of its caller, which it has until its response is made; the pause after its caller's last
 * work; its caller's other large operation, if it is large too; and earlier writers of its tags. Each wait throws `overloaded` a
 * second before the request's deadline, if too many wait already, or if the client has disconnected.
 */
export class Admission {
  readonly #capacity: Capacity;
  readonly #context: Context;
  /** The end of the operation. */
  #ended: Promise<unknown> | undefined;
  /** When its work began, by performance.now(). */
  #startedAt = 0;
  #isLarge = false;
  #leaveLarge: (() => void) | undefined;

  constructor(capacity: Capacity, context: Context) {
    this.#capacity = capacity;
    this.#context = context;
  }

  /** Waits for a place, before the body is parsed. */
  async enter(): Promise<void> {
    const { partner, response } = this.#context;
    const { partnerRequests, publicRequests } = this.#capacity;
    const release = await this.#acquire(partner === undefined ? publicRequests : partnerRequests, this.#caller);
    this.#startedAt = performance.now();
    let isInside = true;
    const leave = async () => {
      await this.#ended;
      if (!isInside) return;
      isInside = false;
      runAfter(this.#capacity.getPause(this.#startedAt), () => {
        this.#leaveLarge?.();
        release();
      });
    };
    // The response is complete, however slowly the client reads it (an event of Node's that its documentation leaves out), or
    // the client has left.
    response.once('prefinish', leave);
    response.once('close', leave);
    await this.#startExecution();
  }

  /** Runs the operation, which keeps its place to the end even if the client leaves. */
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
    const release = await this.#acquire(this.#capacity.largeOperations, this.#caller);
    this.#leaveLarge = () => {
      this.#leaveLarge = undefined;
      release();
    };
  }

  /** While others are present, a caller pauses after its work for as long as that took, and their steps come between. */
  async #startExecution(): Promise<void> {
    const end = await this.#acquire(this.#capacity.execution, this.#caller);
    const start = performance.now();
    this.#capacity.recordCaller(this.#caller, start);
    // Runs after the work, up to where it waits for anything but a settled promise.
    process.nextTick(() => {
      const pause = this.#capacity.getPause(start);
      if (pause > 0) setTimeout(end, pause);
      else end();
    });
  }

  /**
   * Runs a write after the earlier ones of its target in this process. A large operation gives up its place among the large
   * ones while it waits for them, and for `untilUnlocked`, which waits for writers elsewhere.
   */
  async write<Result>(
    target: string,
    work: () => Promise<Result>,
    untilUnlocked: () => Promise<unknown>,
  ): Promise<Result> {
    this.#leaveLarge?.();
    const end = await this.#acquire(this.#capacity.writers, target);
    try {
      if (this.#isLarge) {
        await untilUnlocked();
        await this.#enterLarge();
      }
      return await work();
    } finally {
      end();
    }
  }

  get #caller(): Caller {
    return this.#context.partner ?? this.#context.address;
  }

  async #acquire<Key>(semaphore: Semaphore<Key>, key: Key): Promise<() => void> {
    this.#context.requireClient();
    const start = performance.now();
    const release = await semaphore
      .acquire(key, this.#context.startDeadline() - minTimeLeft, overloaded)
      .finally(() => {
        this.#context.waitMs += performance.now() - start;
      });
    try {
      this.#context.requireClient();
      return release;
    } catch (error) {
      release();
      throw error;
    }
  }
}

/** Without a pause, runs it after the steps that are ready. */
function runAfter(pause: number, action: () => void): void {
  if (pause > 0) setTimeout(action, pause);
  else setImmediate(action);
}

const overloaded = () => new AppError('overloaded');
