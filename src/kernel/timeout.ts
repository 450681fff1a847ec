const ticks = 5;

/** Milliseconds left until a deadline by performance.now(). */
export function timeUntil(deadline: number): number {
  return Math.max(0, deadline - performance.now());
}

/** Resolves to the result of a promise if it settles within `ms`; otherwise throws. */
export async function withTimeout<Result>(ms: number, pending: Promise<Result>, message: string): Promise<Result> {
  const timeout = Promise.withResolvers<never>();
  // Count the timeout in five ticks, so that one long pause cannot expire it before pending I/O is read.
  let left = ticks;
  const timer = setInterval(() => {
    left -= 1;
    if (left === 0) timeout.reject(new Error(message));
  }, ms / ticks);
  try {
    return await Promise.race([pending, timeout.promise]);
  } finally {
    clearInterval(timer);
  }
}
