import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import { AppError } from '../../kernel/errors/app-error.ts';

/** Largest request body in bytes: room for a tag's 10,000 items in the wordiest encoding (form, percent-encoded). */
export const bodyLimit = 512 * 1024;

/** Whether a request carries a body at all, even an empty chunked one. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Rejects a body by its `Content-Length`; the parsers would read all of it first. */
export const requireFittingBody: RequestHandler = ({ headers }, _response, next) => {
  if (Number(headers['content-length'] ?? 0) > bodyLimit) throw new AppError('payload_too_large');
  next();
};

/** Rejects bytes that are not UTF-8, which a parser would silently replace. For the `verify` of Express's body parsers. */
export function verifyText(_request: IncomingMessage, _response: ServerResponse, body: Buffer, encoding: string): void {
  if (encoding === 'utf-8' && !isUtf8(body)) throw new AppError('malformed_body');
}
