import { AppError } from '../../kernel/errors/app-error.ts';
import type { Middleware } from './middleware.ts';

const unreserved = /%(?:2D|2E|3\d|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])/gi;

const origin = /^https?:\/\/[^/?#]+/i;

/**
 * Reduces an absolute target to its path, decodes unreserved characters of the path (RFC 3986, section 6.2.2.2), and
 * rejects other schemes and malformed percent-encoding. Must run before anything that reads the path.
 */
export const normalizePath: Middleware = (request, _response, next) => {
  let { url = '' } = request;
  if (!url.startsWith('/') && url !== '*') {
    if (!origin.test(url) || !URL.canParse(url)) throw new AppError('malformed_request');
    url = url.replace(origin, '').replace(/^(?!\/)/, '/');
    request.url = url;
  }
  if (!url.includes('%')) return next();
  const [path = '', ...query] = url.split('?');
  // Throws a URIError, which becomes `malformed_request`.
  decodeURIComponent(path);
  const decoded = path.replace(unreserved, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));
  request.url = [decoded, ...query].join('?');
  next();
};
