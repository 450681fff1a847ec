import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import type { Request, RequestHandler, Response } from 'express';
import { AppError } from '../../kernel/errors/app-error.ts';
import { memoryBounds } from '../../kernel/memory-bounds.ts';
import { clientAddress } from './client-address.ts';
import { resetConnection } from './connections.ts';
import type { Middleware } from './middleware.ts';
import { gatewayResponse, scopeOf } from './response.ts';

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

/**
 * Collects the body of each request from its first byte, whatever the request waits for. All bodies of a process share
 * a memory limit; beyond it, the client address that holds most loses a body.
 */
export function collectBodies(trustedProxies: string[]): Middleware {
  const addressOf = clientAddress(trustedProxies);
  const budget = new BodyBudget();
  return (request, response, next) => {
    // Node still parses the requests that a closed connection has sent.
    if (request.socket.destroyed) return;
    if (hasBody(request)) response.requestBody = new Body(request, response, addressOf(request), budget).received;
    next();
  };
}

/**
 * The body of a request, as sent; undefined without one. Never resolves if the client disconnects before its end, and is
 * empty once the connection has closed: a request that nobody waits for has no effect.
 */
export async function receivedBody(response: ServerResponse): Promise<Buffer | undefined> {
  const { requestBody } = gatewayResponse(response);
  const scope = scopeOf(response);
  if (scope.deadline === undefined) return requestBody;
  // Waiting for a slow client does not count as database time.
  const start = performance.now();
  const body = await requestBody;
  scope.deadline += performance.now() - start;
  return body;
}

const empty = Buffer.alloc(0);

/** A body that counts toward the budget, from its first byte to the end of its response. */
class Body {
  readonly address: string;
  /** Size of its buffer, as the budget counts it. */
  bytes = 0;
  isComplete = false;
  readonly received: Promise<Buffer>;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #budget: BodyBudget;
  readonly #declaredLength: number;
  readonly #reject: (error: AppError) => void;
  /** Parts are copied into one buffer, because Node would store them separately, at 500 bytes for a single byte. */
  #buffer: Buffer = empty;
  #length = 0;
  #parts = 0;
  /** Whether the body was rejected, or its request has ended. */
  #isOver = false;

  constructor(request: IncomingMessage, response: ServerResponse, address: string, budget: BodyBudget) {
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
    this.received = promise;
    this.#reject = reject;
    this.#request = request;
    this.#response = response;
    this.address = address;
    this.#budget = budget;
    this.#declaredLength = Number(request.headers['content-length'] ?? 0);
    if (this.#declaredLength > maxBytes) this.#fail();
    request.on('data', (part: Buffer) => this.#add(part));
    request.on('end', () => {
      this.isComplete = true;
      resolve(this.#buffer.subarray(0, this.#length));
    });
    onClosed(request, response, () => this.#free());
  }

  /** Frees its buffer, and resets its connection. */
  reset(): void {
    this.#free();
    resetConnection(this.#request.socket);
  }

  #add(part: Buffer): void {
    this.#parts += 1;
    // Only once, because an error costs more than a part.
    if (this.#parts === maxParts + 1) this.#stop();
    if (this.#isOver) return;
    const needed = this.#length + part.length;
    if (needed > maxBytes) {
      // Keeps reading, so that the client gets to read its response.
      this.#fail();
      return;
    }
    // Most bodies arrive in one part, which is a copy already.
    if (part.length === this.#declaredLength) this.#hold(part);
    else {
      if (needed > this.#buffer.length) this.#hold(this.#grown(needed));
      part.copy(this.#buffer, this.#length);
    }
    this.#length = needed;
  }

  /** A larger copy of the buffer. One of the declared length needs no further copies. */
  #grown(needed: number): Buffer {
    const size = this.#buffer.length;
    const next = size === 0 ? firstBuffer : Math.max(2 * size, this.#declaredLength);
    const larger = Buffer.allocUnsafeSlow(Math.min(Math.max(needed, next), maxBytes));
    this.#buffer.copy(larger);
    return larger;
  }

  /** Continues in another buffer, unless the budget now resets this body. */
  #hold(buffer: Buffer): void {
    this.#budget.resize(this, buffer.length);
    release(this.#isOver ? buffer : this.#buffer);
    if (!this.#isOver) this.#buffer = buffer;
  }

  #free(): void {
    this.#isOver = true;
    release(this.#buffer);
    this.#buffer = empty;
    this.#budget.resize(this, 0);
  }

  #fail(): void {
    // Many requests are rejected before anything awaits their body.
    this.received.catch(() => {});
    this.#reject(new AppError('payload_too_large'));
    this.#free();
  }

  /** Stops reading from the connection, which closes after the response. */
  #stop(): void {
    this.#fail();
    this.#request.socket.pause();
    this.#response.shouldKeepAlive = false;
    if (this.#response.headersSent) resetConnection(this.#request.socket);
  }
}

// Returns its memory at once: garbage collection is late for bodies that arrive by the hundred.
function release({ buffer }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength > 0) buffer.transfer(0);
}

// A response that waits behind another has no socket yet, and emits no event if the connection closes before its turn.
// `act` may run twice.
function onClosed({ socket }: IncomingMessage, response: ServerResponse, act: () => void): void {
  response.on('close', act);
  if (response.socket !== null) return;
  socket.setMaxListeners(maxListeners);
  socket.on('close', act);
  response.on('close', () => socket.off('close', act));
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
  const decompress = decompressorOf(request);
  try {
    const text = decoder.decode(await decompress(body, { maxOutputLength: maxBytes }));
    request.body = request.is(form) ? text : parseJson(text);
  } catch (cause) {
    const isLarge = (cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    throw new AppError(isLarge ? 'payload_too_large' : 'malformed_body', { cause });
  }
}

function unsupported(supported: string[]): AppError {
  return new AppError('unsupported_media_type', { values: { supported } });
}

function isUtf8(contentType = ''): boolean {
  const [, charset] = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(contentType) ?? [];
  return charset === undefined || /^utf-?8$/i.test(charset);
}

type Decompress = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const decompressors = new Map<string, Decompress>([
  ['gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
]);

function decompressorOf({ headers }: IncomingMessage): Decompress {
  const encoding = headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (encoding === 'identity') return async (bytes) => bytes;
  const decompress = decompressors.get(encoding);
  if (decompress === undefined) throw unsupported([...decompressors.keys()]);
  // A copy, because the body's memory is returned if the connection closes meanwhile.
  return (bytes, options) => decompress(Buffer.from(bytes), options);
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Parses an object or an array; an empty text means an empty object. */
function parseJson(text: string): object {
  const value: unknown = text === '' ? {} : JSON.parse(text);
  if (typeof value !== 'object' || value === null) throw new TypeError('neither an object nor an array');
  return value;
}
