import type { RequestHandler } from 'express';
import { getMediaType, hasBody, requireBody } from '../../platform/http/body.ts';
import { isMethod } from '../../platform/http/methods.ts';
import { getContext } from '../request/context.ts';
import { formTypes, readBody } from './product-tag-body.ts';

/** The methods of Rack. */
const known = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'LINK', 'UNLINK'];

/**
 * The method of a POST that asks for another: one that writes, if routes have it, or POST for a method that Rack does not
 * know. UNLINK, which no route can have, stands for all others: GET would read, and a response to HEAD has no body.
 */
export function overriddenMethod(requested: string): string {
  if (!known.includes(requested)) return 'POST';
  return isMethod(requested) && requested !== 'GET' && requested !== 'HEAD' ? requested : 'UNLINK';
}

/** As in Rails, a POST may name another method: in `_method` of its form, or else in `X-HTTP-Method-Override`. */
export const overrideMethod: RequestHandler = async (request, response, next) => {
  const isForm = hasBody(request) && formTypes.includes(getMediaType(request));
  const header = request.get('X-HTTP-Method-Override');
  if (request.method !== 'POST' || !(isForm || header)) return next();
  const context = getContext(response);
  // Before the body is waited for: callers that may not write get their response at once.
  await context.requireWriter();
  if (isForm) {
    requireBody(request, formTypes);
    await readBody(request, response);
  }
  const requested = (isForm ? request.body.get('_method') : undefined) ?? header;
  request.method = overriddenMethod(requested?.toUpperCase() ?? '');
  next();
};
