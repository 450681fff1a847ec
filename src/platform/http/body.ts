import type { IncomingMessage } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import { AppError } from '../../kernel/errors/app-error.ts';
import type { RequestErrorCode } from '../../kernel/errors/catalog.ts';
import { memoryBounds } from '../../kernel/memory-bounds.ts';
import type { IncomingBody } from '../../kernel/request/scope.ts';
import { maxDiscarded, resetConnection } from './connections.ts';

/** Maximum request body in bytes: enough for a tag's 10,000 items in the longest encoding (form, percent-encoded). */
export const maxBytes = 512 * 1024;

const maxChunks = 4_096;

/** In bytes. Only a few larger bodies are parsed at a time, and they are dropped before smaller ones. */
export const largeBody = 16 * 1024;

/** Size in bytes of the buffer of a body in several chunks; it doubles as needed. */
const firstBuffer = largeBody;

/** Whether a request carries a body at all, even an empty chunked one. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

const empty = Buffer.alloc(0);

/**
 * Collects the body of each request from its first byte, whatever the request waits for. All bodies share `maxTotal`
 * bytes of memory until they are taken; beyond it, the oldest large one is dropped, whether it still arrives or waits.
 */
export function collectBodies(maxTotal = memoryBounds.bodies): RequestHandler {
  let total = 0;
  /** Bodies by age, with some that were released: in a Set, they would survive most garbage collections. */
  let kept: { isKept: boolean; isLarge: boolean; drop: (code: RequestErrorCode) => void }[] = [];
  let released = 0;

  function dropOldest(): void {
    const oldest = kept.find(({ isKept, isLarge }) => isKept && isLarge) ?? kept.find(({ isKept }) => isKept);
    oldest?.drop('overloaded');
  }

  function collect(request: Request, response: Response): IncomingBody {
    const { promise, resolve } = Promise.withResolvers<void>();
    let failure: AppError | undefined;
    // Later chunks are copied into one buffer, because Node would store them separately, at 500 bytes for a single byte.
    let buffer: Buffer = empty;
    let [length, chunks, received] = [0, 0, 0];
    let isStopped = false;
    const entry = { isKept: true, isLarge: false, drop };

    function keep(bytes: Buffer): void {
      total += bytes.length - buffer.length;
      buffer = bytes;
      entry.isLarge = bytes.length > largeBody;
    }

    function grow(size: number): void {
      const larger = Buffer.allocUnsafeSlow(size);
      buffer.copy(larger);
      keep(larger);
    }

    function drop(code: RequestErrorCode): void {
      failure = new AppError(code);
      release();
      resolve();
    }

    function release(): void {
      if (!entry.isKept) return;
      entry.isKept = false;
      keep(empty);
      released += 1;
      if (released <= kept.length / 2) return;
      kept = kept.filter(({ isKept }) => isKept);
      released = 0;
    }

    function read(): Buffer {
      if (failure !== undefined) throw failure;
      return buffer.subarray(0, length);
    }

    function add(chunk: Buffer): void {
      if (isStopped) return;
      chunks += 1;
      received += chunk.length;
      if (chunks > maxChunks || received > maxDiscarded) stop();
      if (!entry.isKept) return;
      const needed = length + chunk.length;
      if (needed > maxBytes) {
        drop('payload_too_large');
        return;
      }
      if (length === 0) keep(chunk);
      else {
        if (needed > buffer.length) grow(Math.min(Math.max(needed, 2 * buffer.length, firstBuffer), maxBytes));
        chunk.copy(buffer, length);
      }
      length = needed;
      while (total > maxTotal) dropOldest();
    }

    /** Reads no more from the connection, which closes after the response. */
    function stop(): void {
      isStopped = true;
      if (entry.isKept) drop('payload_too_large');
      request.socket.pause();
      response.shouldKeepAlive = false;
      if (response.headersSent) resetConnection(request.socket);
    }

    kept.push(entry);
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) drop('payload_too_large');
    request.on('data', add);
    request.once('end', resolve);
    response.once('close', release);
    const take = () => {
      const bytes = read();
      release();
      return bytes;
    };
    return { received: promise, read, take };
  }

  return (request, response, next) => {
    if (hasBody(request)) response.locals.context.body = collect(request, response);
    next();
  };
}

/** Waits for the body of a request; undefined without one. Throws an AppError if it was dropped. */
export async function waitForBody({ locals: { context } }: Response): Promise<IncomingBody | undefined> {
  const { body } = context;
  const start = performance.now();
  await body?.received;
  // Waiting for a slow client does not count.
  if (context.deadline !== undefined) context.deadline += performance.now() - start;
  body?.read();
  return body;
}
