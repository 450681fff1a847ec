import type { Logger } from 'pino';
import { memoryBounds } from '../../kernel/memory-bounds.ts';
import { remember } from '../../kernel/remember.ts';
import type { RequestScope } from '../../kernel/request/scope.ts';
import { redactPath } from '../../kernel/token.ts';
import { writeLine } from './log.ts';

/** A finished request, as its log line, metrics and trace describe it. */
export interface Exchange {
  scope: RequestScope;
  method: string;
  url: string;
  status: number;
  /** Duration in ms. */
  ms: number;
  /** Whether the client left before the end of the response. */
  aborted: boolean;
}

/** Longer paths are cut in the log. */
const maxPathLength = 2_000;

/** Writes one line per request, without its query string, its body and tokens. */
export function logRequest(log: Logger, { scope, method, url, status, ms, aborted }: Exchange): void {
  const { id, locale, endpoint, partner, code, statements, traceId } = scope;
  const level = status >= 500 ? 'error' : status >= 400 ? 'warn' : 'info';
  const route = endpoint && endpoint.operation === undefined ? `${method} ${endpoint.route}` : undefined;
  // Only the path can contain characters that JSON escapes.
  const line =
    `"requestId":"${id}","req":{"method":"${method}","path":${pathOf(url)}},"res":{"status":${status}},"ms":${ms},` +
    `${member('route', route)}${member('operation', endpoint?.operation)}"locale":"${locale}","sql":${statements},` +
    `${partner === undefined ? '' : `"partner":${partner},`}${member('code', code)}${member('traceId', traceId)}` +
    `${aborted ? '"aborted":true,' : ''}"msg":"request"`;
  writeLine(log, level, line);
}

const pathOf = remember(memoryBounds.logPaths, (url) => JSON.stringify(redactPath(url).slice(0, maxPathLength)));

function member(name: string, text: string | undefined): string {
  return text === undefined ? '' : `"${name}":"${text}",`;
}
