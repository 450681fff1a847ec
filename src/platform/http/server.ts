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
import {
  boundConnections,
  boundUnsentResponses,
  rejectPipelined,
  rememberResponse,
  resetConnection,
} from './connections.ts';
import { originForm } from './path.ts';

/** On stop: time for requests to finish, and for a client to begin one on an open connection, in ms. */
const drainTimeout = 7_000;
const silenceTimeout = 500;

/** Interval for closing idle connections on stop, in ms. */
const drainInterval = 50;

/**
 * Node accepts one connection of a socket in each iteration of the event loop, so new ones would wait for seconds while
 * iterations are long. Linux shares the connections to a port out among several sockets: beside 250 connections that read
 * large pages, others' reads wait 0.2 s, with four sockets 0.6 s and with two 2 s.
 */
const listeningSockets = process.platform === 'linux' ? 16 : 1;

/** The host for all addresses of this machine, IPv4 and IPv6. */
export const allAddresses = '::';

interface Address {
  port: number;
  host: string;
  /** Prefix of its environment variables. */
  envPrefix?: string;
  /** Maximum open connections, at most half of them from one address; trusted proxies have no limit of their own. */
  maxConnections?: number;
  trustedProxies?: string[];
  /** Called for each connection that is closed for these limits. */
  onRefused?: () => void;
}

/**
 * Listens; resolves to the base URL, and to the function that accepts no more connections, lets requests finish for at most
 * `timeout` ms, and closes. Throws an OperatorError when the address is not available.
 */
export async function listen(
  app: Express,
  { port, host, envPrefix = '', maxConnections, trustedProxies = [], onRefused = () => {} }: Address,
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
    if (rejectPipelined(request, response)) return;
    const target = originForm(request.url ?? '');
    if (target === undefined) return onUnreadable(new Error('malformed target'), request.socket);
    // Express would keep the origin of an absolute target in `url`.
    request.url = target;
    rememberResponse(request.socket, response);
    app(request, response);
  };
  const server = createServer(options, handle);
  const connections = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  if (maxConnections !== undefined) {
    boundConnections(server, connections, { max: maxConnections, trustedProxies, onRefused });
  }
  boundUnsentResponses(server);
  // A client that does not read its response for a minute is reset, as a FIN would wait behind the unread bytes. Between
  // requests, `keepAliveTimeout` counts instead.
  server.setTimeout(60_000, (socket) => (socket.writableLength > 0 ? resetConnection(socket) : socket.destroy()));
  server.on('clientError', (error, socket) => onUnreadable(error, socket as Socket));
  // Otherwise Node rejects an unknown expectation without a body.
  server.on('checkExpectation', handle);
  // Without a host, Node listens on both families, or on IPv4 alone where IPv6 is off.
  const opened = openSockets(server, port, host === allAddresses ? undefined : host);
  const listeners = await opened.catch((error: NodeJS.ErrnoException) => {
    throw new OperatorError(
      `The service cannot listen: ${error.message}. Set ${envPrefix}PORT to a free port of 1024 or higher, ` +
        `and ${envPrefix}HOST to an address of this machine.`,
    );
  });
  const bound = server.address() as AddressInfo;
  const name = host === allAddresses ? bound.address : host;
  const url = `http://${name.includes(':') ? `[${name}]` : name}:${bound.port}`;
  return { url, drain: (timeout = drainTimeout) => drain(server, listeners, connections, timeout) };
}

/** Opens the sockets of a server; resolves to those that listen, the server itself first. */
async function openSockets(server: Server, port: number, host: string | undefined): Promise<NetServer[]> {
  if (listeningSockets === 1) return [await open(server, { port, host })];
  // First one that does not share: otherwise a second process could listen on the port unnoticed.
  if (port !== 0) {
    const probe = await open(createAcceptor(), { port, host });
    probe.close();
    await once(probe, 'close');
  }
  await open(server, { port, host, reusePort: true });
  const bound = server.address() as AddressInfo;
  const others = Array.from({ length: listeningSockets - 1 }, () => {
    // The options of the HTTP server's own socket.
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

async function drain(server: Server, listeners: NetServer[], connections: Set<Socket>, timeout: number): Promise<void> {
  const closed = Promise.all(listeners.map((listener) => once(listener, 'close')));
  for (const listener of listeners) listener.close();
  const idle = setInterval(() => server.closeIdleConnections(), drainInterval);
  // Browsers open connections in advance. Node counts them as busy.
  const closeSilent = () => {
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
  };
  const closeAll = () => {
    for (const socket of connections) socket.destroy();
  };
  const silent = setTimeout(closeSilent, silenceTimeout);
  const late = setTimeout(closeAll, timeout);
  await closed;
  clearInterval(idle);
  clearTimeout(silent);
  clearTimeout(late);
}
