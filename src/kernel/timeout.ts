/** Number of slices a timeout is split into. */
const slices = 5;

/** Milliseconds left until a deadline by performance.now(). */
export function timeUntil(deadline: number): number {
  return Math.max(0, deadline - performance.now());
}

/**
 * Resolves to the result of a promise if it settles within `ms`; otherwise throws. A pause of this process uses up only
 * one slice, so responses that arrived meanwhile are still read.
 */
export async function withTimeout<Result>(ms: number, pending: Promise<Result>, message: string): Promise<Result> {
  const late = Promise.withResolvers<never>();
  let slicesLeft = slices;
  const timer = setInterval(() => {
    slicesLeft -= 1;
    if (slicesLeft === 0) late.reject(new Error(message));
  }, ms / slices);
  try {
    return await Promise.race([pending, late.promise]);
  } finally {
    clearInterval(timer);
  }
}
