import type { Logger } from 'pino';
import { redactTokens } from '../auth/token.ts';
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
        req: { method, path: pathOf(url) },
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

// Decoded where it hides a token, which the log would not recognize otherwise.
function pathOf(url: string): string {
  const [path = ''] = url.split('?', 1);
  if (!path.includes('%')) return path;
  const decoded = decode(path);
  const redacted = redactTokens(decoded);
  return redacted === decoded ? path : redacted;
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path.replace(/%[0-9a-f]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));
  }
}
