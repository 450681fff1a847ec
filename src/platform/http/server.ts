import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Express } from 'express';
import { OperatorError } from '../../kernel/errors/operator-error.ts';
import { boundConnections, boundUnsentResponses, resetConnection } from './connections.ts';
import { originForm } from './path.ts';

/** On stop: time for requests to finish, and interval for closing idle connections, in ms. */
const drainTimeout = 7_000;
const drainInterval = 50;

/** The host for all addresses of this machine, IPv4 and IPv6. */
export const allAddresses = '::';

interface Address {
  port: number;
  host: string;
  /** Prefix of its environment variables. */
  settings?: string;
  /** Maximum open connections, at most half of them from one address; trusted proxies have no limit of their own. */
  maxConnections?: number;
  trustedProxies?: string[];
}

/** Listens; resolves to the server and its base URL. Throws an OperatorError when the address is not available. */
export async function listen(
  app: Express,
  { port, host, settings = '', maxConnections, trustedProxies = [] }: Address,
  onUnreadable: (error: NodeJS.ErrnoException, socket: Socket) => void = (_error, socket) => socket.destroy(),
): Promise<{ server: Server; url: string }> {
  const options = {
    /** In bytes, over all headers of a request. */
    maxHeaderSize: 16 * 1024,
    // In ms. Node checks the first two at the interval of the third.
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    connectionsCheckingInterval: 1_000,
    // Longer than the usual idle timeout of load balancers (60 s), so that no request meets a closing connection.
    keepAliveTimeout: 75_000,
    requireHostHeader: false,
    // Otherwise creating a stream for an empty body takes a sixth of the time of a cached response.
    optimizeEmptyRequests: true,
  };
  const handle: RequestListener = (request, response) => {
    const target = originForm(request.url ?? '');
    if (target === undefined) return onUnreadable(new Error('malformed target'), request.socket);
    // Express would keep the origin of an absolute target in `url`.
    request.url = target;
    app(request, response);
  };
  const server = createServer(options, handle);
  if (maxConnections !== undefined) boundConnections(server, maxConnections, trustedProxies);
  boundUnsentResponses(server);
  // A client that does not read its response for a minute is reset, as a FIN would wait behind the unread bytes. Between
  // requests, `keepAliveTimeout` counts instead.
  server.setTimeout(60_000, (socket) => (socket.writableLength > 0 ? resetConnection(socket) : socket.destroy()));
  server.on('clientError', (error, socket) => onUnreadable(error, socket as Socket));
  // Otherwise Node rejects an unknown expectation without a body.
  server.on('checkExpectation', handle);
  // Without a host, Node listens on both families, or on IPv4 alone where IPv6 is off.
  server.listen(port, host === allAddresses ? undefined : host);
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw new OperatorError(
      `The service cannot listen: ${error.message}. Set ${settings}PORT to a free port of 1024 or higher, ` +
        `and ${settings}HOST to an address of this machine.`,
    );
  });
  const bound = server.address() as AddressInfo;
  const name = host === allAddresses ? bound.address : host;
  return { server, url: `http://${name.includes(':') ? `[${name}]` : name}:${bound.port}` };
}

/** Accepts no more connections, lets requests finish for at most `timeout` ms, and closes. */
export async function drain(server: Server, timeout = drainTimeout): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  const idle = setInterval(() => server.closeIdleConnections(), drainInterval);
  const late = setTimeout(() => server.closeAllConnections(), timeout);
  await closed;
  clearInterval(idle);
  clearTimeout(late);
}
