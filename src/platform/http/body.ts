import { isUtf8 } from 'node:buffer';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import express, { type RequestHandler } from 'express';
import { AppError } from '../../kernel/errors/app-error.ts';
import { memoryBounds } from '../../kernel/memory-bounds.ts';
import { Turns } from '../../kernel/turns.ts';
import { clientAddress } from './client-address.ts';
import type { Middleware, Reject } from './middleware.ts';

/** Largest request body in bytes: room for a tag's 10,000 items in the wordiest encoding (form, percent-encoded). */
const bodyLimit = 512 * 1024;

/** Bodies of up to so many bytes are read without waiting. */
export const smallBody = 16 * 1024;

/** Large bodies that are read at a time. While it reads one, a process holds it twice: its parts, and what they make. */
const maxReading = memoryBounds.bodies / (2 * bodyLimit);

/** Requests of one address that may wait, and for how long, in ms. */
const maxWaiting = 512;
const maxWait = 5_000;

/** Whether a request carries a body at all, even an empty chunked one. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * Reads large bodies in turn, at most half of them from one client address; the others wait unread, where their connection
 * holds little of them. A request that waits too long gets 503 `overloaded`, and its connection is closed.
 */
export function readInTurn(trustedProxies: string[], reject: Reject): Middleware {
  const addressOf = clientAddress(trustedProxies);
  const turns = new Turns<string>({ perKey: maxReading / 2, total: maxReading, maxWaiting });
  const late = () => new AppError('overloaded', { headers: { Connection: 'close' } });
  return (request, response, next) => {
    if (!mayBeLarge(request)) return next();
    turns.take(addressOf(request), performance.now() + maxWait, late).then(
      (end) => {
        // The client closed the connection while its request waited.
        if (response.closed) return end();
        void Promise.race([once(request, 'end'), once(response, 'close')])
          .catch(() => {})
          .then(end);
        next();
      },
      (error: unknown) => reject(response, error),
    );
  };
}

// A small compressed body may become a large one.
function mayBeLarge({ headers }: IncomingMessage): boolean {
  const length = Number(headers['content-length'] ?? 0);
  return length > smallBody || headers['transfer-encoding'] !== undefined || headers['content-encoding'] !== undefined;
}

const form = 'application/x-www-form-urlencoded';

/** Reads a body of one of the media types: JSON as its value, a form as its text. */
export function readBody(...types: ('application/json' | typeof form)[]): RequestHandler[] {
  const requireReadable: RequestHandler = (request, _response, next) => {
    if (hasBody(request) && !request.is(types)) unsupported(types);
    // The parsers would read all of it first.
    if (Number(request.headers['content-length'] ?? 0) > bodyLimit) throw new AppError('payload_too_large');
    next();
  };
  // A parser would silently replace bytes that are not UTF-8.
  const verify = (_request: IncomingMessage, _response: ServerResponse, body: Buffer, charset: string) => {
    if (charset === 'utf-8' && !isUtf8(body)) throw new AppError('malformed_body');
  };
  const verifyForm: typeof verify = (request, response, body, charset) => {
    if (charset !== 'utf-8') unsupported([`${form}; charset=utf-8`]);
    verify(request, response, body, charset);
  };
  const limit = bodyLimit;
  return [requireReadable, express.json({ limit, verify }), express.text({ type: form, limit, verify: verifyForm })];
}

function unsupported(supported: string[]): never {
  throw new AppError('unsupported_media_type', { values: { supported } });
}
