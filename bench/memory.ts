import type { Build } from './service.ts';
import { tagUpdateRequests } from './tag-update.ts';
import { load, type Request } from './wrk.ts';

/** Memory of a build in bytes, before a load and after each tenth of it. */
export interface MemoryCourse {
  seconds: number;
  requests: number;
  rss: (number | undefined)[];
}

/** Loads a build with every kind of request, and samples its memory. */
export async function measureMemory({ server, data, scenarios }: Build, memorySeconds: number): Promise<MemoryCourse> {
  const requests = {
    headers: Object.assign({}, ...scenarios.map(({ headers }) => headers)),
    list: tagUpdateRequests(data, data.tagIds.length).flatMap((update, index) => [
      ...scenarios.map(({ requests: each }) => each[index % each.length] as Request),
      update,
    ]),
  };
  const course: MemoryCourse = { seconds: 0, requests: 0, rss: [await server.rss()] };
  const part = Math.max(1, Math.round(memorySeconds / 10));
  while (course.seconds < memorySeconds) {
    await server.truncateOutput();
    course.requests += (await load(server.url, requests, part)).requests;
    course.seconds += part;
    course.rss.push(await server.rss());
  }
  return course;
}
