import type { IncomingMessage } from 'node:http';
import { readDemoToken } from '../../domain/reference/seed/demo-token.ts';

const loopbackAddress = /^(?:::ffff:)?127\.|^::1$/;
// Anyone can point another name at this machine.
const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;
// A proxy on this machine forwards requests of other machines.
const forwarding = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];

export const demoTokenCommand = `cat "\${DATA_DIR:-.data}/demo-token"`;

/** The demo partner's token, only for a browser on this machine that uses localhost. */
export async function findDemoToken(
  dataDir: string,
  { socket, headers }: IncomingMessage,
): Promise<string | undefined> {
  const isLocal =
    loopbackAddress.test(socket.remoteAddress ?? '') &&
    loopbackHost.test(headers.host ?? '') &&
    forwarding.every((name) => headers[name] === undefined);
  return isLocal ? readDemoToken(dataDir) : undefined;
}
