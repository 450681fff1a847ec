import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import {
  type AddressInfo,
  createServer as createAcceptor,
  type ListenOptions,
  type Server as NetServer,
  type Socket,
} from 'node:net';
import type { Express } from 'express';
import { OperatorError } from '../../kernel/errors/operator-error.ts';
import { boundConnections, boundUnsentResponses, resetConnection } from './connections.ts';
import { originForm } from './path.ts';

/** On stop: time for requests to finish, and interval for closing idle connections, in ms. */
const drainTimeout = 7_000;
const drainInterval = 50;

/**
 * Node accepts one connection of a socket in each iteration of the event loop, so new ones would wait for seconds while
 * iterations are long. Linux shares the connections to a port out among several sockets: beside 250 busy connections,
 * others' reads wait 0.1 s in place of 0.7 s.
 */
const listeningSockets = process.platform === 'linux' ? 4 : 1;

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

/**
 * Listens; resolves to the base URL, and to the function that accepts no more connections, lets requests finish for at most
 * `timeout` ms, and closes. Throws an OperatorError when the address is not available.
 */
export async function listen(
  app: Express,
  { port, host, settings = '', maxConnections, trustedProxies = [] }: Address,
  onUnreadable: (error: NodeJS.ErrnoException, socket: Socket) => void = (_error, socket) => socket.destroy(),
): Promise<{ url: string; drain: (timeout?: number) => Promise<void> }> {
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
  const opened = openSockets(server, port, host === allAddresses ? undefined : host);
  const sockets = await opened.catch((error: NodeJS.ErrnoException) => {
    throw new OperatorError(
      `The service cannot listen: ${error.message}. Set ${settings}PORT to a free port of 1024 or higher, ` +
        `and ${settings}HOST to an address of this machine.`,
    );
  });
  const bound = server.address() as AddressInfo;
  const name = host === allAddresses ? bound.address : host;
  const url = `http://${name.includes(':') ? `[${name}]` : name}:${bound.port}`;
  return { url, drain: (timeout = drainTimeout) => drain(server, sockets, timeout) };
}

/** Opens the sockets of a server; resolves to those that listen, the server itself first. */
async function openSockets(server: Server, port: number, host: string | undefined): Promise<NetServer[]> {
  if (listeningSockets === 1) return [await open(server, { port, host })];
  // One that is not shared: otherwise another process could have the port, too.
  if (port !== 0) {
    const alone = await open(createAcceptor(), { port, host });
    alone.close();
    await once(alone, 'close');
  }
  await open(server, { port, host, reusePort: true });
  const bound = server.address() as AddressInfo;
  const others = Array.from({ length: listeningSockets - 1 }, () => {
    // As in Node's HTTP server.
    const acceptor = createAcceptor({ allowHalfOpen: true, noDelay: true });
    acceptor.on('connection', (socket) => server.emit('connection', socket));
    return open(acceptor, { port: bound.port, host: bound.address, reusePort: true });
  });
  return [server, ...(await Promise.all(others))];
}

async function open(server: NetServer, options: ListenOptions): Promise<NetServer> {
  server.listen(options);
  await once(server, 'listening');
  return server;
}

async function drain(server: Server, sockets: NetServer[], timeout: number): Promise<void> {
  const closed = Promise.all(sockets.map((socket) => once(socket, 'close')));
  for (const socket of sockets) socket.close();
  const idle = setInterval(() => server.closeIdleConnections(), drainInterval);
  const late = setTimeout(() => server.closeAllConnections(), timeout);
  await closed;
  clearInterval(idle);
  clearTimeout(late);
}
