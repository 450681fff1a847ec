import { AppError } from '../../kernel/errors/app-error.ts';
import { Semaphore } from '../../kernel/semaphore.ts';
import { Turns } from './turns.ts';

/**
 * The most that the running operations of a caller hold together: one that holds it all occupies the process for about 100 ms.
 * They hold it while they wait for the database, because their rows take memory then.
 */
const maxHeld = 40_000;

/**
 * The least that an operation holds, so that a caller runs 32 at most. One that holds more is long: it may occupy the process for
 * more than 3 ms at a time.
 */
const leastHeld = maxHeld / 32;

const maxWaiting = 1_000;

/** The least time between the beginning of work and the deadline, in ms: work that is cut off helps nobody. */
const leastTime = 1_000;

/** How long what is done or has failed waits for its last turn, in ms. */
const lastTurnTime = 5_000;

/** A partner by its id or, without a live token, the client's address. Work of a caller waits for its other work first. */
type Caller = number | string;

/** What a process runs at a time, for all of its requests. */
export class Capacity {
  /** Requests before they are parsed, and long operations before they run and before their results are rendered. */
  readonly turns = new Turns<Caller>();
  /** Requests in memory, from before they are parsed until the response: a document takes up to 0.3 MB. */
  readonly requests = new Semaphore<Caller>({ perKey: 100, total: 800, maxWaiting });
  /** Those of them with a large body, whose values take up to 5 MB. */
  readonly largeRequests = new Semaphore<Caller>({ perKey: 4, total: 32, maxWaiting });
  /** Operations that run, by what they hold. */
  readonly running = new Semaphore<Caller>({ perKey: maxHeld, total: 3 * maxHeld, maxWaiting });
  /** Operations that scan: beside two of one partner, others wait up to twice as long. */
  readonly scanning = new Semaphore<Caller>({ perKey: 1, maxWaiting });
  /** Writers of the same tag. The locks of the rows would order them too, but waiting for one holds a connection. */
  readonly writers = new Semaphore<string>({ perKey: 1, maxWaiting: 100 });

  /** Number of requests that wait. */
  get waiting(): number {
    const { turns, requests, largeRequests, running, scanning, writers } = this;
    return [turns, requests, largeRequests, running, scanning, writers].reduce(
      (total, { waiting }) => total + waiting,
      0,
    );
  }
}

interface Context {
  readonly address: string;
  /** Set once the token is checked. */
  readonly partner: number | undefined;
  requireClient(): void;
  startDeadline(): number;
}

interface Operation {
  /** What it holds while it runs: its cost, and what its writes add. */
  held: number;
  /**
   * Whether it reads all rows of a list, to find or to count entries, or many lists. A caller runs one such operation at a
   * time, and its lists one after the other.
   */
  scans: boolean;
}

/**
 * What one request waits for before it may go on, in this order:
 *
 * 1. `reserve`: room in memory, until the response, and while `run` goes on; then a `turn`, in which it is parsed and
 *    checked, and its cost is known
 * 2. `run`: the caller's other operations that scan, if it does; room for what it holds; another turn, if it is long
 * 3. `write`, inside of `run`: gives that room back, waits for the earlier writers of its tag, and takes it again
 * 4. a last turn to render a long result
 *
 * Each wait but the last throws `overloaded` a second before the request's deadline, if too many requests of the caller, or writers of the tag, wait
 * already, or if the client has disconnected.
 */
export class Admission {
  readonly #capacity: Capacity;
  readonly #context: Context;
  /** The end of the operation that runs. */
  #ended: Promise<unknown> | undefined;
  /** What the operation holds while it runs. */
  #held = 0;
  /** Releases what the operation holds; undefined if it holds nothing. */
  #release: (() => void) | undefined;
  /** The last list that was begun by an operation that scans; undefined for other operations. */
  #lastList: Promise<unknown> | undefined;

  constructor(capacity: Capacity, context: Context) {
    this.#capacity = capacity;
    this.#context = context;
  }

  /** Waits for the caller's turn: to parse and check its request, to run a long operation, or to render its result. */
  async turn(): Promise<void> {
    this.#context.requireClient();
    await this.#capacity.turns.wait(this.#caller, this.#latestBegin, overloaded);
    this.#context.requireClient();
  }

  /**
   * Waits for room in memory for the parsed request. Returns the function that gives it back, once: after `run`, which may go
   * on when the client has left.
   */
  async reserve({ isLarge }: { isLarge: boolean }): Promise<() => void> {
    const releaseLarge = isLarge ? await this.#acquire(this.#capacity.largeRequests, this.#caller) : undefined;
    const release = await this.#acquire(this.#capacity.requests, this.#caller).catch((error) => {
      releaseLarge?.();
      throw error;
    });
    let isHeld = true;
    return async () => {
      await this.#ended;
      if (!isHeld) return;
      isHeld = false;
      release();
      releaseLarge?.();
    };
  }

  /** Runs an operation once its caller's others, and those of all, leave room for what it holds. */
  run<Result>(operation: Operation, work: () => Promise<Result>): Promise<Result> {
    const result = this.#run(operation, work);
    this.#ended = result.then(
      () => {},
      () => {},
    );
    return result;
  }

  async #run<Result>({ held, scans }: Operation, work: () => Promise<Result>): Promise<Result> {
    if (scans) this.#lastList = Promise.resolve();
    const isLong = held > leastHeld;
    this.#held = Math.min(Math.max(held, leastHeld), maxHeld);
    const endScan = scans ? await this.#acquire(this.#capacity.scanning, this.#caller) : undefined;
    try {
      await this.#hold();
      // What it does before it waits for the database takes a turn of its own.
      if (isLong) await this.turn();
      const result = await work();
      // So does rendering its result.
      if (isLong) await this.#lastTurn();
      return result;
    } finally {
      endScan?.();
      // After the steps that are ready, such as the response.
      setImmediate(() => this.#giveBack());
    }
  }

  /** Reads or counts a root list inside of `run`: those of an operation that scans run one after the other. */
  oneListAtATime<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#lastList === undefined) return work();
    const result = this.#lastList.then(work);
    this.#lastList = result.catch(() => {});
    return result;
  }

  /** Runs a write inside of `run`, after the earlier ones of its target in this process. Holds nothing while it waits for them. */
  async write<Result>(target: string, work: () => Promise<Result>): Promise<Result> {
    this.#giveBack();
    let end: (() => void) | undefined;
    try {
      try {
        end = await this.#acquire(this.#capacity.writers, target);
        await this.#hold();
      } catch (error) {
        // Many wait for the same time, and the other writes of their documents fail with them.
        await this.#lastTurn();
        throw error;
      }
      return await work();
    } finally {
      end?.();
    }
  }

  /** Waits for a turn of what is done or has failed already, which goes on without it if it does not come in time. */
  async #lastTurn(): Promise<void> {
    await this.#capacity.turns.wait(this.#caller, performance.now() + lastTurnTime, overloaded).catch(() => {});
  }

  get #caller(): Caller {
    return this.#context.partner ?? this.#context.address;
  }

  get #latestBegin(): number {
    return this.#context.startDeadline() - leastTime;
  }

  async #hold(): Promise<void> {
    this.#release = await this.#acquire(this.#capacity.running, this.#caller, this.#held);
  }

  #giveBack(): void {
    this.#release?.();
    this.#release = undefined;
  }

  async #acquire<Key>(semaphore: Semaphore<Key>, key: Key, weight?: number): Promise<() => void> {
    this.#context.requireClient();
    const release = await semaphore.acquire(key, this.#latestBegin, overloaded, weight);
    try {
      this.#context.requireClient();
      return release;
    } catch (error) {
      release();
      throw error;
    }
  }
}

const overloaded = () => new AppError('overloaded');
