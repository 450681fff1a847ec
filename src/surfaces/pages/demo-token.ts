import type { IncomingMessage } from 'node:http';
import { readDemoToken } from '../../domain/reference/seed/demo-token.ts';

const loopbackAddress = /^(?:::ffff:)?127\.|^::1$/;
// Other names may point at this machine, but anyone can set them up.
const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;
// A proxy on this machine passes on requests of other machines.
const forwarding = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];

/** Reads the demo partner's token in a shell on this machine. */
export const demoTokenCommand = `$(cat "\${DATA_DIR:-.data}/demo-token")`;

/** The demo partner's token in the data folder, if the request is a browser's on this machine, whose user could read it as well. */
export async function findDemoToken(
  dataDir: string,
  { socket, headers }: IncomingMessage,
): Promise<string | undefined> {
  const isOfThisMachine =
    loopbackAddress.test(socket.remoteAddress ?? '') &&
    loopbackHost.test(headers.host ?? '') &&
    forwarding.every((name) => headers[name] === undefined);
  return isOfThisMachine ? readDemoToken(dataDir) : undefined;
}
