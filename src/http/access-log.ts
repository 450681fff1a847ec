import type { Logger } from 'pino';
import type { Middleware } from './middleware.ts';

/** One log line a request: method, path (never its query), status and ms, and whether its client gave it up. */
export function accessLog(log: Logger): Middleware {
  return (request, response, next) => {
    const start = performance.now();
    const { method, url = '' } = request;
    response.once('close', () => {
      const status = response.statusCode;
      const aborted = request.readableAborted || !response.writableFinished;
      const line = {
        // A request that its client gives up ends outside of its scope.
        requestId: response.getHeader('X-Request-Id'),
        req: { method, path: url.split('?', 1)[0] },
        res: { status },
        ms: Math.round((performance.now() - start) * 100) / 100,
        ...(aborted && { aborted }),
      };
      if (status >= 500) log.error(line, 'request');
      else if (status >= 400) log.warn(line, 'request');
      else log.info(line, 'request');
    });
    next();
  };
}
