import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Express } from 'express';
import { OperatorError } from '../../kernel/errors/operator-error.ts';

/** On stop: time for requests to finish, and for a client to begin one on an open connection, in ms. */
const drainTimeout = 7_000;
const silenceTimeout = 500;

/** Interval for closing idle connections on stop, in ms. */
const drainInterval = 50;

/** The host for all addresses of this machine, IPv4 and IPv6. */
export const allAddresses = '::';

interface Address {
  port: number;
  host: string;
  /** Prefix of its environment variables. */
  envPrefix?: string;
  /** Maximum open connections. */
  maxConnections?: number;
  /** Called for each connection beyond them, which is closed. */
  onRejectedConnection?: () => void;
}

/**
 * Listens; resolves to the base URL, and to the function that accepts no more connections, lets requests finish for at most
 * `timeout` ms, and closes. Throws an OperatorError when the address is not available.
 */
export async function listen(
  app: Express,
  { port, host, envPrefix = '', maxConnections, onRejectedConnection = () => {} }: Address,
  onUnreadable: (error: NodeJS.ErrnoException, socket: Socket) => void = (_error, socket) => socket.destroy(),
): Promise<{ url: string; drain: (timeout?: number) => Promise<void> }> {
  const server = createServer({
    /** In bytes, over all headers of a request. */
    maxHeaderSize: 16 * 1024,
    // In ms. Node checks the first two at the interval of the third.
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    connectionsCheckingInterval: 1_000,
    // Longer than the usual idle timeout of load balancers (60 s), so that no request meets a closing connection.
    keepAliveTimeout: 75_000,
    // `checkHost` responds with a body.
    requireHostHeader: false,
    // Otherwise creating a stream for an empty body takes a sixth of the time of a cached response.
    optimizeEmptyRequests: true,
  });
  // For a client that does not read its response.
  server.setTimeout(60_000);
  if (maxConnections !== undefined) server.maxConnections = maxConnections;
  server.on('drop', onRejectedConnection);
  const connections = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  const responses = new WeakMap<Socket, ServerResponse>();
  const handle: RequestListener = (request, response) => {
    responses.set(request.socket, response);
    // Express would keep the origin of an absolute target.
    request.url = request.url?.replace(/^[a-z][^:/?#]*:\/\/[^/?#]*\/?/i, '/');
    app(request, response);
  };
  // Otherwise Node rejects an unknown expectation without a body.
  server.on('request', handle).on('checkExpectation', handle);
  server.on('clientError', (error, socket: Socket) => {
    const response = responses.get(socket);
    // The request before these bytes keeps its response: it may have written already.
    if (response?.closed === false && response.req.complete) response.once('close', () => socket.destroySoon());
    else onUnreadable(error, socket);
  });
  // Without a host, Node listens on both families, or on IPv4 alone where IPv6 is off.
  server.listen({ port, host: host === allAddresses ? undefined : host });
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw new OperatorError(
      `The service cannot listen: ${error.message}. Set ${envPrefix}PORT to a free port of 1024 or higher, ` +
        `and ${envPrefix}HOST to an address of this machine.`,
    );
  });
  const bound = server.address() as AddressInfo;
  const name = host === allAddresses ? bound.address : host;
  const url = `http://${name.includes(':') ? `[${name}]` : name}:${bound.port}`;
  return { url, drain: (timeout = drainTimeout) => drain(server, connections, timeout) };
}

async function drain(server: Server, connections: Set<Socket>, timeout: number): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  const idle = setInterval(() => server.closeIdleConnections(), drainInterval);
  // Browsers open connections in advance, which Node counts as busy.
  const silent = setTimeout(() => {
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
  }, silenceTimeout);
  const timer = setTimeout(() => server.closeAllConnections(), timeout);
  await closed;
  clearInterval(idle);
  clearTimeout(silent);
  clearTimeout(timer);
}
