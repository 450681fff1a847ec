import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { parseBearer } from '../../kernel/token.ts';

/** The demo partner's token for a page that is asked for by this request; undefined where it is not to be given away. */
export type FindDemoToken = (request: IncomingMessage) => Promise<string | undefined>;

const loopbackAddress = /^(?:::ffff:)?127\.|^::1$/;
// A name that anybody could have pointed at this machine is none of it.
const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/** Of the embedded service alone, and only for a browser on the same machine: whose files it could read as well. */
export function demoTokenFinder(databaseUrl: string | undefined, dataDir: string): FindDemoToken {
  if (databaseUrl !== undefined) return async () => undefined;
  return async (request) => {
    if (!isOfThisMachine(request)) return undefined;
    const text = await readFile(join(dataDir, 'demo-token'), 'utf8').catch(() => '');
    return parseBearer(`Bearer ${text.trim()}`);
  };
}

// What a proxy passes on comes from its address, not from its client's.
function isOfThisMachine({ socket, headers }: IncomingMessage): boolean {
  const isForwarded = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'].some(
    (name) => headers[name] !== undefined,
  );
  return loopbackAddress.test(socket.remoteAddress ?? '') && loopbackHost.test(headers.host ?? '') && !isForwarded;
}
