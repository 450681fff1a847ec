import { AppError } from '../../kernel/errors/app-error.ts';
import { Semaphore } from '../../kernel/semaphore.ts';
import { type RequestContext, requireClient } from './context.ts';

const overloaded = () => new AppError('overloaded');

/** Operations of callers without a live token, and reads of reference data on REST that are not cached. */
const anonymous = new Semaphore<'graphql' | 'rest'>({ perKey: 1, maxWaiting: 32 });

/** Operations of each partner, by its id. */
const partners = new Semaphore<number>({ perKey: 8, maxWaiting: 1_000 });

/** Longest rest of a lane after an operation, in ms. */
const longestRest = 100;

/** Operations of all partners that cost more than one without a live token may: each takes the process for a while. */
const large = new Semaphore<'graphql'>({ perKey: 1 });

/**
 * Runs the work of a request in the lane of its caller. Throws `overloaded` if too many wait there already, or if its turn does not
 * come before the request's deadline.
 */
export async function inCallersLane<Result>(context: RequestContext, work: () => Promise<Result>): Promise<Result> {
  // A failed lookup is reported only if the operation needs the caller: reference data outlives the database.
  const caller = await context.authenticate().catch(() => undefined);
  return caller === undefined
    ? run(anonymous, 'graphql', context, work)
    : run(partners, caller.partnerId, context, work);
}

/** The same for a read of reference data on REST, which anyone may send. */
export function inReferenceLane<Result>(context: RequestContext, work: () => Promise<Result>): Promise<Result> {
  return run(anonymous, 'rest', context, work);
}

/** The same for an operation with a large response, which is in the lane of its caller already. */
export function inLargeLane<Result>(context: RequestContext, work: () => Promise<Result>): Promise<Result> {
  return run(large, 'graphql', context, work);
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
    // A lane of many callers rests as long as it worked, so that others get half of the process.
    if (lane === partners) setImmediate(release);
    else setTimeout(release, Math.min(performance.now() - start, longestRest));
  }
}
