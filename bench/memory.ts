import type { Data } from './data.ts';
import { type Generator, load, type Request } from './load.ts';
import { listScenarios } from './scenarios.ts';
import type { Server } from './server.ts';
import { tagUpdateRequests } from './tag-update.ts';

/** Memory of the service in bytes, in the course of a load. */
export interface MemoryCourse {
  seconds: number;
  requests: number;
  /** After each tenth of the load. */
  rss: (number | undefined)[];
}

/** Loads the service with every kind of request for so long, and looks at its memory meanwhile. */
export async function measureMemory(
  service: Server,
  data: Data,
  generator: Generator,
  seconds: number,
): Promise<MemoryCourse> {
  const scenarios = listScenarios(data);
  const requests = {
    headers: Object.assign({}, ...scenarios.map((scenario) => scenario.headers)),
    list: tagUpdateRequests(data, data.tagIds.length).flatMap((update, index) => [
      ...scenarios.map(({ requests: each }) => each[index % each.length] as Request),
      update,
    ]),
  };
  const course: MemoryCourse = { seconds: 0, requests: 0, rss: [] };
  const part = Math.max(1, Math.round(seconds / 10));
  while (course.seconds < seconds) {
    await service.truncateOutput();
    const result = await load(generator, service.url, requests, part);
    course.seconds += part;
    course.requests += result.requests;
    course.rss.push(await service.rss());
  }
  return course;
}
