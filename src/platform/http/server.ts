import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Express } from 'express';
import { OperatorError } from '../../kernel/errors/operator-error.ts';

const drainTimeoutMs = 7_000;
const silenceTimeoutMs = 500;

const drainIntervalMs = 50;

export const allAddresses = '::';

interface Address {
  port: number;
  host: string;
  envPrefix?: string;
  maxConnections?: number;
  onRejectedConnection?: () => void;
}

/** `drain` lets requests finish for at most `timeout` ms. Throws an OperatorError if the address is not available. */
export async function listen(
  app: Express,
  { port, host, envPrefix = '', maxConnections, onRejectedConnection = () => {} }: Address,
  onUnreadable: (error: NodeJS.ErrnoException, socket: Socket) => void = (_error, socket) => socket.destroy(),
): Promise<{ url: string; drain: (timeout?: number) => Promise<void> }> {
  const server = createServer({
    maxHeaderSize: 16 * 1024,
    // Node checks the first two at the interval of the third.
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    connectionsCheckingInterval: 1_000,
    // Longer than the usual idle timeout of load balancers (60 s), so that no request meets a closing connection.
    keepAliveTimeout: 75_000,
    // `checkHost` responds with a body.
    requireHostHeader: false,
    // Creating a stream for an empty body is slow.
    optimizeEmptyRequests: true,
  });
  // Closes connections of clients that do not read.
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
    // The request before these bytes keeps its response.
    if (response?.closed === false && response.req.complete) response.once('close', () => socket.destroySoon());
    else onUnreadable(error, socket);
  });
  // Without a host, Node uses both families, or IPv4 alone where IPv6 is off.
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
  return { url, drain: (timeout = drainTimeoutMs) => drain(server, connections, timeout) };
}

async function drain(server: Server, connections: Set<Socket>, timeout: number): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  const idle = setInterval(() => server.closeIdleConnections(), drainIntervalMs);
  // Node counts the connections that browsers open in advance as busy.
  const silent = setTimeout(() => {
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
  }, silenceTimeoutMs);
  const timer = setTimeout(() => server.closeAllConnections(), timeout);
  await closed;
  clearInterval(idle);
  clearTimeout(silent);
  clearTimeout(timer);
}
