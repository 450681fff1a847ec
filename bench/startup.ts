import type { Server } from './server.ts';
import { median } from './statistics.ts';

/** From the start of the process until /readyz said yes, medians in ms. */
export interface StartTimes {
  plain: number;
  /** With compiled code kept from an earlier start, as `npm start` does. */
  withCompileCache: number;
}

export async function measureStart(
  start: (env: Record<string, string>) => Promise<Server>,
  cacheFolder: string,
  repetitions: number,
): Promise<StartTimes> {
  const times: Record<keyof StartTimes, number[]> = { plain: [], withCompileCache: [] };
  const cache = { NODE_COMPILE_CACHE: cacheFolder };
  // Fills the cache, which is written as the process ends.
  await timeOf(() => start(cache));
  for (let repetition = 0; repetition < repetitions; repetition += 1) {
    times.plain.push(await timeOf(() => start({ NODE_DISABLE_COMPILE_CACHE: '1' })));
    times.withCompileCache.push(await timeOf(() => start(cache)));
  }
  return { plain: median(times.plain), withCompileCache: median(times.withCompileCache) };
}

async function timeOf(start: () => Promise<Server>): Promise<number> {
  await using server = await start();
  return server.startTime;
}
