import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { parseBearer } from '../../kernel/token.ts';

/** The demo partner's token for the page that a request asks for; undefined if the page must not contain it. */
export type FindDemoToken = (request: IncomingMessage) => Promise<string | undefined>;

const loopbackAddress = /^(?:::ffff:)?127\.|^::1$/;
// Other names may point at this machine, but anyone can set them up.
const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/** Only with the embedded database, and for a browser on the same machine, whose user could read the file as well. */
export function demoTokenFinder(databaseUrl: string | undefined, dataDir: string): FindDemoToken {
  if (databaseUrl !== undefined) return async () => undefined;
  return async (request) => {
    if (!isOfThisMachine(request)) return undefined;
    const text = await readFile(join(dataDir, 'demo-token'), 'utf8').catch(() => '');
    return parseBearer(`Bearer ${text.trim()}`);
  };
}

// A proxy on this machine passes on requests of other machines.
function isOfThisMachine({ socket, headers }: IncomingMessage): boolean {
  const isForwarded = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'].some(
    (name) => headers[name] !== undefined,
  );
  return loopbackAddress.test(socket.remoteAddress ?? '') && loopbackHost.test(headers.host ?? '') && !isForwarded;
}
