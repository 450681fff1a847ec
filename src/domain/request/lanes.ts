import { AppError } from '../../kernel/errors/app-error.ts';
import { Semaphore } from '../../kernel/semaphore.ts';
import type { RequestContext } from './context.ts';

const overloaded = () => new AppError('overloaded');

/** GraphQL operations without a live token. */
const anonymous = new Semaphore<'all'>({ perKey: 1, maxWaiting: 32 });

/** Uncached REST reads of reference data. Each is small, so many may wait. */
const reads = new Semaphore<'all'>({ perKey: 1, maxWaiting: 1_000 });

/** Operations of partners, by the partner's id. */
const partners = new Semaphore<number>({ perKey: 32, maxWaiting: 1_000 });

/** Operations of partners above the cost limit of other callers: each occupies the process for a while. */
const large = new Semaphore<'all'>({ perKey: 1 });

/** Operations up to this duration, in ms, need no pause after them. */
const shortWork = 10;

/** Longest pause of a lane after an operation, in ms. */
const longestRest = 100;

/**
 * Runs the work of a request in the lane of its caller. Throws `overloaded` if too many requests wait there already, or
 * if its turn does not come before the request's deadline.
 */
export async function inCallersLane<Result>(context: RequestContext, work: () => Promise<Result>): Promise<Result> {
  // Operations that need the caller report a failed lookup; reads of reference data work without the database.
  const caller = await context.authenticate().catch(() => undefined);
  return caller === undefined ? run(anonymous, 'all', context, work) : run(partners, caller.partnerId, context, work);
}

/** Runs a REST read of reference data, which needs no token. */
export function inReferenceLane<Result>(context: RequestContext, work: () => Promise<Result>): Promise<Result> {
  return run(reads, 'all', context, work);
}

/** Runs an operation with a large response, which already holds the lane of its caller. */
export function inLargeLane<Result>(context: RequestContext, work: () => Promise<Result>): Promise<Result> {
  return run(large, 'all', context, work);
}

async function run<Key, Result>(
  lane: Semaphore<Key>,
  key: Key,
  context: RequestContext,
  work: () => Promise<Result>,
): Promise<Result> {
  context.requireClient();
  const release = await lane.acquire(key, context.startDatabaseTime(), overloaded);
  const start = performance.now();
  try {
    context.requireClient();
    return await work();
  } finally {
    const worked = performance.now() - start;
    // A lane of many callers pauses as long as it worked, so that other requests get half of the process.
    if (lane === partners || worked < shortWork) setImmediate(release);
    else setTimeout(release, Math.min(worked, longestRest));
  }
}
