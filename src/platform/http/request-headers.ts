import type { RequestHandler } from 'express';
import { AppError } from '../../kernel/errors/app-error.ts';

const maxIfNoneMatch = 4_000;

/** Maximum length of header values in characters; longer values are ignored, like malformed ones. */
const ignored = Object.entries({
  'accept-encoding': 500,
  'accept-language': 1_000,
  // A token has at most 512 characters.
  authorization: 1_000,
  traceparent: 200,
  'x-request-id': 200,
});

const ignoredInReads = [...ignored, ['if-none-match', maxIfNoneMatch] as const];

/** Maximum length of header values in characters; longer values are rejected (431 `headers_too_large`). */
const rejected = Object.entries({
  accept: 1_000,
  'access-control-request-headers': 2_000,
  'content-encoding': 200,
  'content-type': 500,
  'if-match': 1_000,
  // In a read, it is ignored instead.
  'if-none-match': maxIfNoneMatch,
  origin: 500,
  'x-forwarded-for': 2_000,
});

/** Drops headers that are too long to parse. Must run before anything that reads headers. */
export const dropLongHeaders: RequestHandler = ({ headers, method }, _response, next) => {
  const isRead = method === 'GET' || method === 'HEAD';
  for (const [name, max] of isRead ? ignoredInReads : ignored) {
    if ((headers[name]?.length ?? 0) > max) delete headers[name];
  }
  next();
};

/** Rejects headers that are too long, a missing or repeated Host, and chunks in HTTP/1.0 (RFC 9112, 3.2 and 6.1). */
export const checkHeaders: RequestHandler = ({ headers, rawHeaders, httpVersion }, response, next) => {
  for (const [name, max] of rejected) {
    if ((headers[name]?.length ?? 0) > max) throw new AppError('headers_too_large');
  }
  if (httpVersion === '1.0' && headers['transfer-encoding'] !== undefined) {
    response.shouldKeepAlive = false;
    throw new AppError('malformed_request');
  }
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1')) throw new AppError('malformed_request');
  next();
};
