import { AppError } from '../../kernel/errors/app-error.ts';
import { Semaphore } from '../../kernel/semaphore.ts';
import { type RequestContext, requireClient } from './context.ts';

const overloaded = () => new AppError('overloaded');

/** GraphQL operations of callers without a live token. */
const anonymous = new Semaphore<'all'>({ perKey: 1, maxWaiting: 32 });

/** REST reads of reference data that are not cached. Each is small, so many may wait. */
const reads = new Semaphore<'all'>({ perKey: 1, maxWaiting: 1_000 });

/** Operations of each partner, by its id. */
const partners = new Semaphore<number>({ perKey: 16, maxWaiting: 1_000 });

/** After an operation that took longer than the first, in ms, its lane rests as long as it took, up to the second. */
const shortWork = 10;
const longestRest = 100;

/** Operations of all partners that cost more than one without a live token may: each takes the process for a while. */
const large = new Semaphore<'all'>({ perKey: 1 });

/**
 * Runs the work of a request in the lane of its caller. Throws `overloaded` if too many wait there already, or if its turn does not
 * come before the request's deadline.
 */
export async function inCallersLane<Result>(context: RequestContext, work: () => Promise<Result>): Promise<Result> {
  // A failed lookup is reported only if the operation needs the caller: reference data outlives the database.
  const caller = await context.authenticate().catch(() => undefined);
  return caller === undefined ? run(anonymous, 'all', context, work) : run(partners, caller.partnerId, context, work);
}

/** The same for a read of reference data on REST, which anyone may send. */
export function inReferenceLane<Result>(context: RequestContext, work: () => Promise<Result>): Promise<Result> {
  return run(reads, 'all', context, work);
}

/** The same for an operation with a large response, which is in the lane of its caller already. */
export function inLargeLane<Result>(context: RequestContext, work: () => Promise<Result>): Promise<Result> {
  return run(large, 'all', context, work);
}

async function run<Key, Result>(
  lane: Semaphore<Key>,
  key: Key,
  { response, scope }: RequestContext,
  work: () => Promise<Result>,
): Promise<Result> {
  requireClient(response);
  const release = await lane.acquire(key, scope.startDatabaseTime(), overloaded);
  const start = performance.now();
  try {
    requireClient(response);
    return await work();
  } finally {
    const worked = performance.now() - start;
    // Others get half of the process while a lane of many callers is busy.
    if (lane === partners || worked < shortWork) setImmediate(release);
    else setTimeout(release, Math.min(worked, longestRest));
  }
}
