import type { RequestHandler } from 'express';

/** Longer paths never match a route, so they are left as is. */
const maxPathLength = 2_000;

const unreserved = /%(?:2D|2E|3\d|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])/gi;

/** Decodes unreserved characters (RFC 3986, section 6.2.2.2), and merges repeated slashes, as Rails does. */
export const normalizePath: RequestHandler = (request, _response, next) => {
  if (!/%|\/\//.test(request.url)) return next();
  const [path = ''] = request.url.split('?', 1);
  if (path.length > maxPathLength) return next();
  const decoded = path.replace(unreserved, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));
  request.url = decoded.replace(/\/{2,}/g, '/') + request.url.slice(path.length);
  next();
};

export const checkPath: RequestHandler = ({ originalUrl }, _response, next) => {
  const [path = ''] = originalUrl.split('?', 1);
  // Throws a URIError, which becomes `malformed_request`.
  if (path.includes('%') && path.length <= maxPathLength) decodeURIComponent(path);
  next();
};
