import { AppError } from '../../kernel/errors/app-error.ts';
import { Semaphore } from '../../kernel/semaphore.ts';

const overloaded = () => new AppError('overloaded');

export type Concurrency = ReturnType<typeof createConcurrency>;

/**
 * The total cost of a partner's running operations: between two steps of another caller they take some 100 ms at most, and
 * still enough of them run to share statements.
 */
const runningCost = 38_400;

/** The part of a cost above this counts twice, because large operations run in long steps. */
const smallCost = 5_000;

/** The least that an operation counts, so that a partner runs 32 at most. */
const minCost = runningCost / 32;

/** What each write counts, as a cost: it checks up to 100 items. */
const writeCost = 100;

/** Operations above this cost run one at a time: each occupies the process for a while. */
export const largeCost = 15_000;

export function createConcurrency() {
  return {
    /** GraphQL operations without a live token. */
    anonymous: new Semaphore<'all'>({ perKey: 1, maxWaiting: 32 }),
    /** Uncached REST reads of reference data. Each is small, so many may wait. */
    reads: new Semaphore<'all'>({ perKey: 1, maxWaiting: 1_000 }),
    /** Operations of partners until they run, by the partner's id. Checking one takes up to 70 ms. */
    starting: new Semaphore<number>({ perKey: 1, maxWaiting: 1_000 }),
    /** Operations of partners that run, by their cost. */
    running: new Semaphore<number>({ perKey: runningCost }),
    /** Those of them above `largeCost`. */
    large: new Semaphore<number>({ perKey: 1, total: 1 }),
    /** Writers of the same tag wait here, without a database connection. */
    writers: new Semaphore<string>({ perKey: 1, maxWaiting: 100 }),
  };
}

export interface Starting {
  /** When its work began, by performance.now(). */
  since?: number;
  release(): void;
}

interface Context {
  concurrency: Concurrency;
  /** The slot of a partner's operation until it runs. */
  starting: Starting | undefined;
  authenticate(): Promise<{ partnerId: number } | undefined>;
  requireClient(): void;
  startDatabaseTime(): number;
}

/** In ms. A shorter rest lasts one turn of the event loop. */
const shortestRest = 10;

const longestRest = 400;

/** The rest after a start or a large operation, as a multiple of its duration. */
const rests = 3;

/**
 * Runs the work of a request when its caller's turn comes: operations without a live token run one at a time, those of a
 * partner start one at a time, until `withRunningSlot`. Throws `overloaded` if too many requests wait already, or if the
 * turn does not come before the request's deadline.
 */
export async function withCallerSlot<Result>(context: Context, work: () => Promise<Result>): Promise<Result> {
  const { anonymous, starting } = context.concurrency;
  // Operations that need the caller report a failed lookup; reads of reference data work without the database.
  const caller = await context.authenticate().catch(() => undefined);
  if (caller === undefined) return runInTurn(anonymous, 'all', context, work);
  const release = await acquire(starting, caller.partnerId, context);
  context.starting = { release };
  try {
    return await work();
  } finally {
    endStart(context);
  }
}

/** Notes that the work of a start begins now, after its waits. The partner's next start follows after a rest. */
export function beginStart({ starting }: Context): void {
  if (starting !== undefined) starting.since = performance.now();
}

/** Runs a REST read of reference data, which needs no token. */
export function withReferenceSlot<Result>(context: Context, work: () => Promise<Result>): Promise<Result> {
  return runInTurn(context.concurrency.reads, 'all', context, work);
}

/**
 * Runs an operation whose cost is known, inside of `withCallerSlot`. A partner's operations together cost at most
 * `runningCost`; large ones run one at a time, and partners take turns with them. `writes` are those of its rate limit.
 */
export async function withRunningSlot<Result>(
  context: Context,
  { cost, writes }: { cost: number; writes: number },
  work: () => Promise<Result>,
): Promise<Result> {
  const { running, large } = context.concurrency;
  const caller = await context.authenticate().catch(() => undefined);
  if (caller === undefined) return work();
  const isLarge = cost > largeCost;
  const weight = isLarge
    ? minCost
    : Math.min(Math.max(cost, 2 * cost - smallCost, writes * writeCost, minCost), runningCost);
  const started = performance.now();
  const waiting = acquire(running, caller.partnerId, context, weight);
  const release = await waiting.finally(() => endStart(context, started));
  try {
    return await (isLarge ? runInTurn(large, caller.partnerId, context, work, rests) : work());
  } finally {
    setImmediate(release);
  }
}

/** Lets the partner's next operation start. `runs` is when this one was ready to run; undefined if it will not run. */
function endStart(context: Context, runs?: number): void {
  const { starting } = context;
  context.starting = undefined;
  if (starting === undefined) return;
  const end = runs ?? performance.now();
  const { since = end, release } = starting;
  const rest = rests * (end - since);
  // Operations that start quickly do so in one turn, and share their statements.
  if (runs !== undefined && rest < 1) release();
  else releaseAfter(rest, release);
}

/** Runs work in a slot that callers share. It then rests as long, or a multiple, so that others get half the event loop. */
async function runInTurn<Key, Result>(
  slots: Semaphore<Key>,
  key: Key,
  context: Context,
  work: () => Promise<Result>,
  rests = 1,
): Promise<Result> {
  const release = await acquire(slots, key, context);
  const start = performance.now();
  try {
    return await work();
  } finally {
    releaseAfter(rests * (performance.now() - start), release);
  }
}

/** Releases a slot after a rest, in ms. */
function releaseAfter(rest: number, release: () => void): void {
  if (rest >= shortestRest) setTimeout(release, Math.min(rest, longestRest));
  else setImmediate(release);
}

async function acquire<Key>(slots: Semaphore<Key>, key: Key, context: Context, weight?: number): Promise<() => void> {
  context.requireClient();
  const release = await slots.acquire(key, context.startDatabaseTime(), overloaded, weight);
  try {
    context.requireClient();
  } catch (error) {
    setImmediate(release);
    throw error;
  }
  return release;
}
