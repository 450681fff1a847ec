import type { ServerResponse } from 'node:http';
import type { Server, Socket } from 'node:net';
import { memoryBounds } from '../../kernel/memory-bounds.ts';
import { connectionAddress } from './client-address.ts';
import type { Middleware } from './middleware.ts';

/** Maximum requests that wait on one connection. */
const maxWaiting = 32;

/** The requests of a connection: the one that is being handled, then those that wait. */
type Queue = { response: ServerResponse; handle: () => void }[];

const queues = new WeakMap<Socket, Queue>();

/**
 * Handles the requests of a connection one at a time, each after the response before it has left the process: a client
 * that pipelines without reading holds one response. Closes a connection with too many waiting requests.
 */
export const oneAtATime: Middleware = ({ socket }, response, handle) => {
  if (socket.destroyed) return;
  const queue = queues.get(socket);
  if (queue === undefined) queues.set(socket, [{ response, handle }]);
  else if (queue.length === 1 && queue[0]?.response.closed) queue[0] = { response, handle };
  else {
    if (queue.push({ response, handle }) > 1 + maxWaiting) socket.destroy();
    else if (queue.length === 2) queue[0]?.response.once('close', () => handleNext(socket, queue));
    return;
  }
  handle();
};

function handleNext(socket: Socket, queue: Queue): void {
  queue.shift();
  const [next] = queue;
  // A closing connection sends no more responses, so its requests must have no effects.
  if (next === undefined || socket.destroyed || socket.writableEnded) return;
  if (queue.length > 1) next.response.once('close', () => handleNext(socket, queue));
  next.handle();
}

/** Allows `max` connections, at most half of them from one address; trusted proxies have no limit of their own. */
export function boundConnections(server: Server, max: number, trustedProxies: string[]): void {
  server.maxConnections = max;
  const maxOfAddress = Math.ceil(max / 2);
  const addressOf = connectionAddress(trustedProxies);
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const address = addressOf(socket);
    if (address === undefined) return;
    const count = open.get(address) ?? 0;
    if (count >= maxOfAddress) {
      socket.destroy();
      return;
    }
    open.set(address, count + 1);
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left === 0) open.delete(address);
      else open.set(address, left);
    });
  });
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
