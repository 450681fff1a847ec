import { setMaxListeners } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, type ZlibOptions } from 'node:zlib';
import type { Request, RequestHandler, Response } from 'express';
import { AppError } from '../../kernel/errors/app-error.ts';
import { memoryBounds } from '../../kernel/memory-bounds.ts';
import { clientAddress } from './client-address.ts';
import type { Middleware } from './middleware.ts';
import { scopeOf } from './response.ts';

/** Maximum request body in bytes: enough for a tag's 10,000 items in the longest encoding (form, percent-encoded). */
const maxBytes = 512 * 1024;

/** Maximum parts of a body, such as chunks of HTTP/1.1. */
const maxParts = 4_096;

/** Initial size of a body's buffer in bytes; it doubles as needed. */
const firstBuffer = 16 * 1024;

/** Maximum waiting requests of a connection, as each listens for its close. */
const maxListeners = 64;

/** Whether a request carries a body at all, even an empty chunked one. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

const bodies = new WeakMap<IncomingMessage, Promise<Buffer>>();

/**
 * Collects the body of each request from its first byte, whatever the request waits for. Parts are copied into one
 * buffer, because Node would store them separately, at 500 bytes for a single byte. All bodies of a process share a
 * memory limit; beyond it, the client address that holds most loses a body.
 */
export function collectBodies(trustedProxies: string[]): Middleware {
  const addressOf = clientAddress(trustedProxies);
  const budget = new BodyBudget();
  return (request, response, next) => {
    if (hasBody(request)) bodies.set(request, collect(request, response, addressOf(request), budget));
    next();
  };
}

/** The body of a request, as sent; undefined without one. Never resolves if the client disconnects before its end. */
export async function receivedBody(response: ServerResponse): Promise<Buffer | undefined> {
  const start = performance.now();
  const body = await bodies.get(response.req);
  // Waiting for a slow client does not count as database time.
  const scope = scopeOf(response);
  if (scope.deadline !== undefined) scope.deadline += performance.now() - start;
  return body;
}

function collect(
  request: IncomingMessage,
  response: ServerResponse,
  address: string,
  budget: BodyBudget,
): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const declared = Number(request.headers['content-length'] ?? 0);
  let buffer = Buffer.alloc(0);
  let length = 0;
  let parts = 0;
  let isOver = false;

  const reset = () => {
    free();
    request.socket.resetAndDestroy();
  };
  const body: Body = { address, bytes: 0, isComplete: false, reset };
  const free = () => {
    isOver = true;
    // A complete body may still be in use.
    if (!body.isComplete) release(buffer);
    buffer = Buffer.alloc(0);
    budget.resize(body, 0);
  };
  // Many requests are rejected before anything awaits their body.
  promise.catch(free);
  // Stops reading from the connection, which closes after the response.
  const stop = () => {
    reject(new AppError('payload_too_large'));
    request.socket.pause();
    response.shouldKeepAlive = false;
    if (response.headersSent) request.socket.resetAndDestroy();
  };
  const add = (part: Buffer) => {
    parts += 1;
    // Only once, because an error costs more than a part.
    if (parts === maxParts + 1) return stop();
    if (isOver || parts > maxParts) return;
    const needed = length + part.length;
    // Keeps reading, so that the client gets to read its response.
    if (needed > maxBytes) return reject(new AppError('payload_too_large'));
    if (needed > buffer.length) {
      // A buffer of the declared length needs no further copies.
      const next = buffer.length === 0 ? firstBuffer : Math.max(2 * buffer.length, declared);
      const larger = Math.min(Math.max(needed, next), maxBytes);
      budget.resize(body, larger);
      if (isOver) return;
      const copy = Buffer.allocUnsafeSlow(larger);
      buffer.copy(copy, 0, 0, length);
      release(buffer);
      buffer = copy;
    }
    length += part.copy(buffer, length);
  };
  if (declared > maxBytes) reject(new AppError('payload_too_large'));
  request.on('data', add).once('end', () => {
    body.isComplete = true;
    resolve(buffer.subarray(0, length));
  });
  onceClosed(request, response, free);
  return promise;
}

// Returns its memory at once: garbage collection is late for bodies that arrive by the hundred.
function release({ buffer }: Buffer): void {
  if (buffer instanceof ArrayBuffer) buffer.transfer(0);
}

// A response that waits behind another on its connection emits no event when the connection closes.
function onceClosed({ socket }: IncomingMessage, response: ServerResponse, act: () => void): void {
  setMaxListeners(maxListeners, socket);
  const closed = () => {
    socket.off('close', closed);
    response.off('close', closed);
    act();
  };
  socket.once('close', closed);
  response.once('close', closed);
}

/** A body that counts toward the budget. */
interface Body {
  readonly address: string;
  /** Size of its buffer. */
  bytes: number;
  /** Whether it has arrived completely. */
  isComplete: boolean;
  /** Frees its buffer, and resets its connection. */
  reset: () => void;
}

/** Limits the bytes of all bodies. Beyond it, the address that holds most loses a body, so newcomers are safe. */
class BodyBudget {
  readonly #addresses = new Map<string, { bytes: number; bodies: Set<Body> }>();
  #bytes = 0;

  /** Changes the size of a body, which begins at 0. */
  resize(body: Body, bytes: number): void {
    const { address } = body;
    const held = this.#addresses.get(address) ?? { bytes: 0, bodies: new Set() };
    held.bytes += bytes - body.bytes;
    this.#bytes += bytes - body.bytes;
    body.bytes = bytes;
    if (bytes > 0) held.bodies.add(body);
    else held.bodies.delete(body);
    if (held.bodies.size > 0) this.#addresses.set(address, held);
    else this.#addresses.delete(address);
    while (this.#bytes > memoryBounds.bodies) this.#oldestOfLargest()?.reset();
  }

  /** Of the address that holds most, the oldest body that is still arriving, or else the oldest one. */
  #oldestOfLargest(): Body | undefined {
    let largest: { bytes: number; bodies: Set<Body> } | undefined;
    for (const held of this.#addresses.values()) if (held.bytes > (largest?.bytes ?? 0)) largest = held;
    const bodies = largest?.bodies ?? [];
    for (const body of bodies) if (!body.isComplete) return body;
    const [oldest] = bodies;
    return oldest;
  }
}

const form = 'application/x-www-form-urlencoded';

/** Waits for a body of one of the media types, in UTF-8. */
export function receiveBody(...types: ('application/json' | typeof form)[]): RequestHandler {
  return async (request, response, next) => {
    if (!hasBody(request)) return next();
    const type = request.is(types);
    if (!type) throw unsupported(types);
    if (!isUtf8(request.headers['content-type'])) throw unsupported([`${type}; charset=utf-8`]);
    await receivedBody(response);
    next();
  };
}

/** Parses a received body into `request.body`: JSON as its value, a form as text. Runs in a lane, as it is slow. */
export async function parseBody(request: Request, response: Response): Promise<void> {
  const body = await receivedBody(response);
  if (body === undefined) return;
  const text = decodeText(await decompress(request, body));
  request.body = request.is(form) ? text : parseJson(text);
}

function unsupported(supported: string[]): AppError {
  return new AppError('unsupported_media_type', { values: { supported } });
}

function isUtf8(contentType = ''): boolean {
  const [, charset] = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(contentType) ?? [];
  return charset === undefined || /^utf-?8$/i.test(charset);
}

type Decompress = (bytes: Buffer, options: ZlibOptions) => Promise<Buffer>;

const decompressors = new Map<string, Decompress>([
  ['gzip', promisify<Buffer, ZlibOptions, Buffer>(gunzip)],
  ['deflate', promisify<Buffer, ZlibOptions, Buffer>(inflate)],
  ['br', promisify<Buffer, ZlibOptions, Buffer>(brotliDecompress as never)],
]);

async function decompress({ headers }: IncomingMessage, bytes: Buffer): Promise<Buffer> {
  const encoding = headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (encoding === 'identity') return bytes;
  const decompressor = decompressors.get(encoding);
  if (decompressor === undefined) throw unsupported([...decompressors.keys()]);
  try {
    return await decompressor(bytes, { maxOutputLength: maxBytes });
  } catch (cause) {
    const isLarge = (cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    throw new AppError(isLarge ? 'payload_too_large' : 'malformed_body', { cause });
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true });

function decodeText(bytes: Buffer): string {
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    throw new AppError('malformed_body', { cause });
  }
}

/** Parses an object or an array; an empty text means an empty object. */
function parseJson(text: string): object {
  if (text === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new AppError('malformed_body', { cause });
  }
  if (typeof value !== 'object' || value === null) throw new AppError('malformed_body');
  return value;
}
