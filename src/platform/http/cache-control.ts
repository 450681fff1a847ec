import type { RequestHandler } from 'express';

/** The answer is the caller's alone and is not kept. */
export const noStore: RequestHandler = (_request, response, next) => {
  response.set('Cache-Control', 'private, no-store');
  next();
};

/** The answer may be kept, and is asked for by its ETag before each use. */
export const revalidate: RequestHandler = (_request, response, next) => {
  response.set('Cache-Control', 'public, no-cache');
  next();
};
