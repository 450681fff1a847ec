import { AppError } from '../../kernel/errors/app-error.ts';
import { Semaphore } from '../../kernel/semaphore.ts';
import { Turns } from './turns.ts';

/** Maximum weight of a caller's running operations: the next step of others then comes after some 100 ms at most. */
const maxPerCaller = 40_000;

/** The least that an operation weighs, so that a caller runs 32 at most. */
const leastWeight = maxPerCaller / 32;

/** What each write adds to the weight of an operation: it checks up to 100 items. */
const writeWeight = 100;

const maxWaiting = 1_000;

/** A partner's id, or the client's address without a live token. */
type Caller = number | string;

/** What a process runs at a time, for all of its requests. */
export class Capacity {
  /** Requests before they are parsed. */
  readonly turns = new Turns<Caller>();
  /** Compressed bodies, from their decompression until their turn. */
  readonly decompressions = new Semaphore<Caller>({ perKey: 4, total: 16, maxWaiting });
  /** Operations that run, by their weights. */
  readonly running = new Semaphore<Caller>({ perKey: maxPerCaller, total: 3 * maxPerCaller, maxWaiting });
  /** Operations that read whole lists. */
  readonly scans = new Semaphore<Caller>({ perKey: 1, maxWaiting });
  /** Writers of the same tag or item. */
  readonly writers = new Semaphore<string>({ perKey: 1, maxWaiting: 100 });

  /** Number of requests that wait. */
  get waiting(): number {
    const { turns, decompressions, running, scans, writers } = this;
    return [turns, decompressions, running, scans, writers].reduce((total, { waiting }) => total + waiting, 0);
  }
}

interface Context {
  readonly address: string;
  /** Set once the token is checked. */
  readonly partner: number | undefined;
  requireClient(): void;
  startDatabaseTime(): number;
}

/** The price of an operation. */
export interface Price {
  /** The fields of its largest response. */
  cost: number;
  /** Its writes, as rate limits count them. */
  writes: number;
  /** Whether it searches or counts a whole list. */
  isScan: boolean;
}

/**
 * What one request waits for before it may go on. Each wait throws `overloaded` at the deadline of the request's database
 * time, if too many requests of the caller wait already, or if the client has disconnected.
 */
export class Admission {
  readonly #capacity: Capacity;
  readonly #context: Context;
  #weight = 0;
  /** Gives back the weight that the operation holds. */
  #giveBack = () => {};
  #isScan = false;
  #lastRead: Promise<unknown> = Promise.resolve();

  constructor(capacity: Capacity, context: Context) {
    this.#capacity = capacity;
    this.#context = context;
  }

  /** Waits for the caller's turn to parse and check its request. */
  async turn(): Promise<void> {
    this.#context.requireClient();
    await this.#capacity.turns.wait(this.#caller, this.#context.startDatabaseTime(), overloaded);
    this.#context.requireClient();
  }

  /** Decompresses a body, and waits for the turn to parse it. */
  async decompress(work: () => Promise<Buffer>): Promise<Buffer> {
    const end = await this.#acquire(this.#capacity.decompressions, this.#caller);
    try {
      const bytes = await work();
      await this.turn();
      return bytes;
    } finally {
      end();
    }
  }

  /** Runs an operation once its caller's others, and those of all, leave room for its weight. */
  async run<Result>({ cost, writes, isScan }: Price, work: () => Promise<Result>): Promise<Result> {
    this.#isScan = isScan;
    this.#weight = Math.min(Math.max(cost + writes * writeWeight, leastWeight), maxPerCaller);
    const endScan = isScan ? await this.#acquire(this.#capacity.scans, this.#caller) : undefined;
    try {
      await this.#takeWeight();
      return await work();
    } finally {
      // After the steps that are ready, such as the response.
      setImmediate(() => {
        this.#giveBack();
        endScan?.();
      });
    }
  }

  /** Reads or counts a root list inside of `run`: those of an operation that scans run one after the other. */
  readList<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#lastRead.then(work);
    if (this.#isScan) this.#lastRead = result.catch(() => {});
    return result;
  }

  /** Runs a write inside of `run`, after the earlier ones of `target`. Holds no weight while it waits for them. */
  async write<Result>(target: string, work: () => Promise<Result>): Promise<Result> {
    this.#giveBack();
    const end = await this.#acquire(this.#capacity.writers, target);
    try {
      await this.#takeWeight();
      return await work();
    } finally {
      end();
    }
  }

  get #caller(): Caller {
    return this.#context.partner ?? this.#context.address;
  }

  async #takeWeight(): Promise<void> {
    const release = await this.#acquire(this.#capacity.running, this.#caller, this.#weight);
    this.#giveBack = () => {
      this.#giveBack = () => {};
      release();
    };
  }

  async #acquire<Key>(semaphore: Semaphore<Key>, key: Key, weight?: number): Promise<() => void> {
    this.#context.requireClient();
    const release = await semaphore.acquire(key, this.#context.startDatabaseTime(), overloaded, weight);
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
