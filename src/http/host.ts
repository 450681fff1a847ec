import type { RequestHandler } from 'express';
import { AppError } from '../errors/app-error.ts';

/** Refuses a request that does not name its host, or names several (RFC 9112, section 3.2). */
export const requireHost: RequestHandler = ({ headersDistinct, httpVersion }, _response, next) => {
  const hosts = headersDistinct.host?.length ?? 0;
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1')) throw new AppError('malformed_request');
  next();
};
