import type { Logger } from 'pino';
import { redactTokens } from '../auth/token.ts';
import { remember } from '../remember.ts';
import { currentScope } from '../request/scope.ts';
import { writeLine } from './log.ts';
import type { Middleware } from './middleware.ts';

/** One log line a request: method, path (never its query), status and ms, and whether its client gave it up. */
export function accessLog(log: Logger): Middleware {
  return (request, response, next) => {
    const start = performance.now();
    // A request that its client gives up ends outside of its scope.
    const requestId = currentScope()?.id;
    const { method, url = '' } = request;
    response.on('close', () => {
      const status = response.statusCode;
      const ms = Math.round((performance.now() - start) * 100) / 100;
      const aborted = request.readableAborted || !response.writableFinished;
      const level = status >= 500 ? 'error' : status >= 400 ? 'warn' : 'info';
      // By hand, as a ready answer takes little longer than a logger that serializes objects.
      const line =
        `"requestId":"${requestId}","req":{"method":"${method}","path":${pathOf(url)}},` +
        `"res":{"status":${status}},"ms":${ms},${aborted ? '"aborted":true,' : ''}"msg":"request"`;
      writeLine(log, level, line);
    });
    next();
  };
}

// As JSON; decoded where it hides a token.
const pathOf = remember(1_000, (url) => {
  const [path = ''] = url.split('?', 1);
  const decoded = path.includes('%') ? decode(path) : path;
  const redacted = redactTokens(decoded);
  return JSON.stringify(redacted === decoded ? path : redacted);
});

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path.replace(/%[0-9a-f]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));
  }
}
