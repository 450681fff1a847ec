import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { StartError } from '../../kernel/errors/start-error.ts';
import { boundConnections, boundUnsentResponses } from './connections.ts';
import type { Handler } from './middleware.ts';
import { GatewayResponse } from './response.ts';

/** Time that requests have to finish on stop, and the interval at which idle connections are closed then, in ms. */
const drainTimeout = 7_000;
const drainInterval = 50;

interface Address {
  port: number;
  host: string;
  /** Prefix of the names of its settings. */
  settings?: string;
  /** Open connections, at most half of them of one address but a trusted proxy; further ones are closed at once. */
  maxConnections?: number;
  trustedProxies?: string[];
}

type HttpServer = Server<typeof IncomingMessage, typeof GatewayResponse>;

/** Listens; resolves to the server and its base URL. Throws a StartError when the address is not available. */
export async function listen(
  handler: Handler,
  { port, host, settings = '', maxConnections, trustedProxies = [] }: Address,
  onUnreadable?: (error: NodeJS.ErrnoException, socket: Duplex) => void,
): Promise<{ server: HttpServer; url: string }> {
  const options = {
    /** In bytes, over all headers of a request. */
    maxHeaderSize: 16 * 1024,
    // In ms; Node checks the first two in the third's interval.
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    connectionsCheckingInterval: 1_000,
    // Longer than the idle time-out of usual balancers (60 s): the service must not close a connection under a request.
    keepAliveTimeout: 75_000,
    requireHostHeader: false,
    // Reading a request without a body as a stream takes a sixth of the time of a cached response.
    optimizeEmptyRequests: true,
    ServerResponse: GatewayResponse,
  };
  const server = createServer(options, handler);
  if (maxConnections !== undefined) boundConnections(server, maxConnections, trustedProxies);
  boundUnsentResponses(server);
  // A client that does not read its response for a minute is reset, as a FIN would wait behind the unread bytes.
  server.setTimeout(60_000, (socket) => (socket.writableLength > 0 ? socket.resetAndDestroy() : socket.destroy()));
  if (onUnreadable) server.on('clientError', onUnreadable);
  // Node would reject an unknown expectation without a body.
  server.on('checkExpectation', handler);
  server.listen(port, host);
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    const settingsToTry = `${settings}PORT to a free port of 1024 or higher, and ${settings}HOST to an address of this machine`;
    throw new StartError(`The service cannot listen: ${error.message}. Set ${settingsToTry}.`);
  });
  const address = server.address() as AddressInfo;
  return { server, url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}` };
}

/** Accepts no more connections, lets requests finish for at most `timeout` ms, and closes. */
export async function drain(server: HttpServer, timeout = drainTimeout): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  const idle = setInterval(() => server.closeIdleConnections(), drainInterval);
  const late = setTimeout(() => server.closeAllConnections(), timeout);
  await closed;
  clearInterval(idle);
  clearTimeout(late);
}
