import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server, Socket } from 'node:net';
import type { RequestHandler, Response } from 'express';
import { memoryBounds } from '../../kernel/memory-bounds.ts';
import { connectionAddress } from './client-address.ts';

interface ConnectionLimits {
  max: number;
  trustedProxies: string[];
  onRefused: () => void;
}

/**
 * Closes new connections beyond `max`, and those of one address beyond half of it; trusted proxies have no limit of their
 * own. `connections` are the open ones with the new one.
 */
export function boundConnections(
  server: Server,
  connections: ReadonlySet<Socket>,
  { max, trustedProxies, onRefused }: ConnectionLimits,
): void {
  const maxOfAddress = Math.ceil(max / 2);
  const addressOf = connectionAddress(trustedProxies);
  const open = new Map<string, number>();
  // Not by `maxConnections`, which counts the connections of one socket of the port.
  server.on('connection', (socket: Socket) => {
    const address = addressOf(socket);
    const count = address === undefined ? 0 : (open.get(address) ?? 0);
    if (connections.size > max || count >= maxOfAddress) {
      socket.destroy();
      onRefused();
      return;
    }
    if (address === undefined) return;
    open.set(address, count + 1);
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left === 0) open.delete(address);
      else open.set(address, left);
    });
  });
}

/** The response to the latest request of each connection. */
const latestResponses = new WeakMap<Socket, ServerResponse>();

/** Connections that end with that response. */
const ending = new WeakSet<Socket>();

/** Remembers the response in progress of a connection for `endAfterResponse`. */
export function rememberResponse(socket: Socket, response: ServerResponse): void {
  latestResponses.set(socket, response);
}

/**
 * Rejects a request that its client has sent before it has the response to the one before (pipelining); returns whether it
 * is one. The response in progress is then the client's last, and the request has no effect. Node would handle it at once,
 * and keep its response in memory until then.
 */
export function rejectPipelined({ socket }: IncomingMessage, response: ServerResponse): boolean {
  // Node assigns the socket to the next response once the one before has ended.
  if (response.socket !== null) return false;
  stopParsing(socket);
  endAfterResponse(socket);
  return true;
}

/** Node's parser of a connection, which is private. */
interface Parser {
  onIncoming: () => number;
}

/** How the parser continues after the headers of a request: it reads nothing that follows, as after CONNECT. */
const readNothing = 2;

/**
 * Otherwise Node makes all requests that it has read, up to 3,000 in 64 KiB, even if the socket is paused or destroyed: 40 ms
 * of work and 10 MB of memory. It has no public way to stop.
 */
function stopParsing(socket: Socket & { parser?: Parser | null }): void {
  if (socket.parser) socket.parser.onIncoming = () => readNothing;
}

/**
 * Ends a connection after its response in progress, whatever the client sends behind the request; returns whether there is
 * one.
 */
export function endAfterResponse(socket: Socket): boolean {
  const response = latestResponses.get(socket);
  if (response === undefined || response.closed || !response.req.complete) return false;
  if (ending.has(socket)) return true;
  ending.add(socket);
  socket.pause();
  response.shouldKeepAlive = false;
  response.once('close', () => socket.destroySoon());
  return true;
}

/**
 * Closes connections after their next response while the condition holds, so that clients reconnect elsewhere. Closes
 * them after a request with `Upgrade`, too: Node drops the requests that a client pipelines behind it.
 */
export function closeConnections(isDraining: () => boolean): RequestHandler {
  return (request, response, next) => {
    if (isDraining() || request.headers.upgrade !== undefined) response.setHeader('Connection', 'close');
    next();
  };
}

/** Time and bytes, over all, for the remainder of a request whose response was sent early. */
export const remainderTimeout = 5_000;
export const maxDiscarded = 8 * 1024 * 1024;

/**
 * Ends a response once its request has arrived, at the latest after 5 s. The client has the whole response already, but
 * closing the connection while it still sends would discard what it has not read yet.
 */
export function endAfterRequest(response: Response): void {
  const { req: request } = response;
  const timer = setTimeout(() => request.socket.destroy(), remainderTimeout);
  response.once('close', () => clearTimeout(timer));
  request.once('end', () => response.end());
}

/**
 * Resets a connection: unlike a FIN, a reset does not wait behind unread bytes. A connection that is ending already is
 * only destroyed, because a reset would fail then, and Node would never emit its `close`.
 */
export function resetConnection(socket: Socket): void {
  if (socket.writableEnded) socket.destroy();
  else socket.resetAndDestroy();
}

/** Interval for adding up unsent responses, in ms. */
const sampleInterval = 250;

/** Number of consecutive samples without progress after which a connection is stalled. */
const stalledSamples = 4;

/** Closes stalled connections while the unsent responses of all connections together exceed their bound. */
export function boundUnsentResponses(server: Server): void {
  const unsent = new Map<Socket, { bytes: number; samples: number }>();
  server.on('connection', (socket: Socket) => {
    unsent.set(socket, { bytes: 0, samples: 0 });
    socket.once('close', () => unsent.delete(socket));
  });
  const timer = setInterval(() => {
    let total = 0;
    for (const [{ writableLength }, state] of unsent) {
      state.samples = writableLength > 0 && writableLength === state.bytes ? state.samples + 1 : 0;
      state.bytes = writableLength;
      total += writableLength;
    }
    if (total <= memoryBounds.unsentResponses) return;
    for (const [socket, { samples }] of unsent) if (samples >= stalledSamples) resetConnection(socket);
  }, sampleInterval).unref();
  server.once('close', () => clearInterval(timer));
}
