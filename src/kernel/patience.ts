/** In how many slices a wait is counted. */
const slices = 5;

/**
 * What is asked for, if it comes within so many ms; throws after them. A halt of this process itself takes one slice of
 * the wait alone: what has come meanwhile is read in the next.
 */
export async function within<Result>(ms: number, asked: Promise<Result>, message: string): Promise<Result> {
  const late = Promise.withResolvers<never>();
  let slicesLeft = slices;
  const timer = setInterval(() => {
    slicesLeft -= 1;
    if (slicesLeft === 0) late.reject(new Error(message));
  }, ms / slices);
  try {
    return await Promise.race([asked, late.promise]);
  } finally {
    clearInterval(timer);
  }
}
