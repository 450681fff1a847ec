import type { Logger } from 'pino';
import { memoryBounds } from '../../kernel/memory-bounds.ts';
import { remember } from '../../kernel/remember.ts';
import { redactTokens } from '../../kernel/token.ts';
import type { Exchange } from './exchange.ts';
import { writeLine } from './log.ts';

/** One log line a request: what it was, for whom, and what became of it; never its query, its body or a token. */
export function logRequest(log: Logger, { scope, method, url, status, ms, aborted }: Exchange): void {
  const { id, locale, endpoint, partner, code, statements, traceId } = scope;
  const level = status >= 500 ? 'error' : status >= 400 ? 'warn' : 'info';
  const name =
    endpoint === undefined
      ? ''
      : endpoint.operation === undefined
        ? `"route":"${method} ${endpoint.route}",`
        : `"operation":"${endpoint.operation}",`;
  // By hand, as a ready answer takes little longer than a logger that serializes objects. What is not escaped here has
  // nothing to escape.
  const line =
    `"requestId":"${id}","req":{"method":"${method}","path":${pathOf(url)}},"res":{"status":${status}},"ms":${ms},` +
    `${name}"locale":"${locale}","sql":${statements},` +
    (partner === undefined ? '' : `"partner":${partner},`) +
    (code === undefined ? '' : `"code":"${code}",`) +
    (traceId === undefined ? '' : `"traceId":"${traceId}",`) +
    (aborted ? '"aborted":true,"msg":"request"' : '"msg":"request"');
  writeLine(log, level, line);
}

// As JSON.
const pathOf = remember(memoryBounds.logPaths, (url) => JSON.stringify(redactPath(url)));

/** The path of a URL; decoded where it hides a token. */
export function redactPath(url: string): string {
  const [path = ''] = url.split('?', 1);
  const decoded = path.includes('%') ? decode(path) : path;
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
