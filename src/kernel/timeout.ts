const ticks = 5;

export function timeUntil(deadline: number): number {
  return Math.max(0, deadline - performance.now());
}

export async function withTimeout<Result>(ms: number, pending: Promise<Result>, message: string): Promise<Result> {
  const timeout = Promise.withResolvers<never>();
  // Count the timeout in ticks, so that one long pause cannot expire it before pending I/O is read.
  let ticksLeft = ticks;
  const timer = setInterval(() => {
    ticksLeft -= 1;
    if (ticksLeft === 0) timeout.reject(new Error(message));
  }, ms / ticks);
  try {
    return await Promise.race([pending, timeout.promise]);
  } finally {
    clearInterval(timer);
  }
}
