import type { RequestHandler } from 'express';
import { hasBody } from '../../platform/http/body.ts';
import { mediaTypeOf, waitForBodyOf } from '../../platform/http/parse-body.ts';
import { contextOf } from '../request/context.ts';
import { formTypes, readBody } from './product-tag-body.ts';

/** The methods of Rack that no route of tags has. */
const others = ['GET', 'HEAD', 'DELETE', 'OPTIONS', 'LINK', 'UNLINK'];

/** As in Rails, a POST may name another method: in `_method` of its form, or else in `X-HTTP-Method-Override`. */
export const overrideMethod: RequestHandler = async (request, response, next) => {
  const isForm = hasBody(request) && formTypes.includes(mediaTypeOf(request));
  const header = request.get('X-HTTP-Method-Override');
  if (request.method !== 'POST' || !(isForm || header)) return next();
  const context = contextOf(response);
  // Before the body is read, so that callers without a token cannot send one.
  await context.requireCaller();
  if (isForm) {
    await waitForBodyOf(request, response, formTypes);
    await readBody(request, response);
  }
  const method = ((isForm ? request.body.get('_method') : undefined) ?? header)?.toUpperCase() ?? '';
  if (method === 'PUT' || method === 'PATCH') request.method = method;
  // One stands for all, because a response to HEAD has no body.
  else if (others.includes(method)) request.method = 'DELETE';
  next();
};
