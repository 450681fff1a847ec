import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { pinoHttp } from 'pino-http';
import type { Middleware } from './middleware.ts';

/** One log line a request: method, path (never its query), status and ms. The logger adds the request id. */
export function accessLog(log: Logger): Middleware {
  return pinoHttp({
    logger: log,
    serializers: {
      req: ({ method, url }: { method: string; url: string }) => ({ method, path: url.split('?', 1)[0] }),
      res: ({ statusCode }: { statusCode: number }) => ({ status: statusCode }),
      err: () => undefined,
    },
    wrapSerializers: true,
    customAttributeKeys: { responseTime: 'ms' },
    customLogLevel: (_request, response, error) =>
      error !== undefined || response.statusCode >= 500 ? 'error' : response.statusCode >= 400 ? 'warn' : 'info',
    // A request that its client gives up ends outside of its scope.
    customSuccessObject: addOutcome,
    customErrorObject: (request, response, _error, line) => addOutcome(request, response, line),
    customSuccessMessage: () => 'request',
    customErrorMessage: () => 'request',
  });
}

function addOutcome(request: IncomingMessage, response: ServerResponse, line: object): object {
  const aborted = request.readableAborted || !response.writableFinished;
  return { ...line, requestId: response.getHeader('X-Request-Id'), ...(aborted && { aborted }) };
}
