import { AppError } from '../../kernel/errors/app-error.ts';
import { Semaphore } from '../../kernel/semaphore.ts';

const overloaded = () => new AppError('overloaded');

export type Concurrency = ReturnType<typeof createConcurrency>;

export function createConcurrency() {
  return {
    /** GraphQL operations without a live token. */
    anonymous: new Semaphore<'all'>({ perKey: 1, maxWaiting: 32 }),
    /** Uncached REST reads of reference data. Each is small, so many may wait. */
    reads: new Semaphore<'all'>({ perKey: 1, maxWaiting: 1_000 }),
    /** Operations of partners, by the partner's id. */
    partners: new Semaphore<number>({ perKey: 32, maxWaiting: 1_000 }),
    /** Operations of partners above the cost limit of other callers: each occupies the process for a while. */
    large: new Semaphore<number>({ perKey: 1, total: 1 }),
    /** Writers of the same tag wait here, without a database connection. */
    writers: new Semaphore<string>({ perKey: 1, maxWaiting: 100 }),
  };
}

interface Context {
  concurrency: Concurrency;
  authenticate(): Promise<{ partnerId: number } | undefined>;
  requireCaller(): Promise<{ partnerId: number }>;
  requireClient(): void;
  startDatabaseTime(): number;
}

/** Operations of shared slots up to this duration, in ms, need no pause after them. */
const shortWork = 10;

const longestRest = 100;

/**
 * Runs the work of a request when its caller has a free slot. Throws `overloaded` if too many requests wait for one
 * already, or if its turn does not come before the request's deadline.
 */
export async function withCallerSlot<Result>(context: Context, work: () => Promise<Result>): Promise<Result> {
  const { anonymous, partners } = context.concurrency;
  // Operations that need the caller report a failed lookup; reads of reference data work without the database.
  const caller = await context.authenticate().catch(() => undefined);
  return caller === undefined ? run(anonymous, 'all', context, work) : run(partners, caller.partnerId, context, work);
}

/** Runs a REST read of reference data, which needs no token. */
export function withReferenceSlot<Result>(context: Context, work: () => Promise<Result>): Promise<Result> {
  return run(context.concurrency.reads, 'all', context, work);
}

/** Runs an operation with a large response, which already has the slot of its caller. Partners take turns. */
export async function withLargeSlot<Result>(context: Context, work: () => Promise<Result>): Promise<Result> {
  const { partnerId } = await context.requireCaller();
  return run(context.concurrency.large, partnerId, context, work);
}

async function run<Key, Result>(
  slots: Semaphore<Key>,
  key: Key,
  context: Context,
  work: () => Promise<Result>,
): Promise<Result> {
  context.requireClient();
  const release = await slots.acquire(key, context.startDatabaseTime(), overloaded);
  const start = performance.now();
  try {
    context.requireClient();
    return await work();
  } finally {
    const worked = performance.now() - start;
    // Shared slots idle as long as the last operation ran, so they get half the event loop.
    const isShared = (slots as unknown) !== context.concurrency.partners;
    if (isShared && worked >= shortWork) setTimeout(release, Math.min(worked, longestRest));
    else setImmediate(release);
  }
}
