import { type Changes, unjudged } from './members.ts';
import type { Documents } from './reference.ts';

export interface Served {
  servers?: { url: string }[];
}

/** What breaks where requests go: clients go by the order of servers, so that new ones come last. */
export function* serverChanges(was: Served, is: Served, documents: Documents): Changes {
  // A document that names none is of a server at the root.
  const [before, after] = [was.servers ?? [{ url: '/' }], is.servers ?? [{ url: '/' }]];
  for (const [index, server] of before.entries()) {
    const now = after[index];
    if (now?.url !== server.url) yield `Server ${index + 1} was ${server.url}, and is ${now?.url ?? 'gone'}`;
    else yield* unjudged(server, now, ['url'], `Server ${index + 1}`, documents);
  }
}
