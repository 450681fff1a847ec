import { randomUUID } from 'node:crypto';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { AppError } from '../../kernel/errors/app-error.ts';
import { messageOf, type RefusalCode, type RequestErrorCode, statusOf } from '../../kernel/errors/catalog.ts';
import { logFailure, toAppError } from '../../kernel/errors/to-app-error.ts';
import { currentLocale, currentScope } from '../../kernel/request/scope.ts';
import { securityHeaders } from '../../platform/http/response.ts';
import { respond } from '../../platform/http/response-cache.ts';

/** The error of a body with invalid fields, by their v1 names. Its code is that of all, or `validation_failed` if they differ. */
export function invalidFields(invalid: readonly { code: RefusalCode; field: string; message: string }[]): AppError {
  const [code = 'validation_failed', ...others] = new Set(invalid.map((each) => each.code));
  const byField = Map.groupBy(invalid, ({ field }) => field);
  const fields = [...byField].map(([field, group]) => [field, group.map(({ message }) => message)]);
  return new AppError(others.length > 0 ? 'validation_failed' : code, { fields: Object.fromEntries(fields) });
}

/** The page that documents the codes: of this service, so that the type of a problem is a URI reference (RFC 9457). */
const ownDocs = '/guides/errors';

/** The body of a problem, in the language of the request. */
function problemOf({ code, values, fields: given, hint }: AppError, docsUrl = ownDocs, requestId: string | undefined) {
  const status = statusOf(code);
  const message = () => messageOf(code, currentLocale(), values);
  const fields = given ?? (code === 'invalid_parameter' ? { [String(values.parameter)]: [message()] } : undefined);
  const messages = fields === undefined ? [message()] : Object.values(fields).flat();
  return {
    type: `${docsUrl}#${code}`,
    title: STATUS_CODES[status],
    status,
    detail: [...messages, ...(hint === undefined ? [] : [hint])].join(' '),
    code,
    request_id: requestId,
    ...(fields && { errors: fields }),
  };
}

/** Sends an error as `application/problem+json` (RFC 9457). */
export function sendProblem(log: Logger, docsUrl: string | undefined, response: ServerResponse, thrown: unknown): void {
  const error = toAppError(thrown);
  logFailure(log, error);
  const scope = currentScope();
  // The log line has the code of the response, not GraphQL's.
  if (scope !== undefined) scope.code = error.code;
  for (const [name, value] of Object.entries(error.headers)) response.setHeader(name, value);
  response.setHeader('Cache-Control', 'private, no-store');
  response.setHeader('Content-Type', 'application/problem+json; charset=utf-8');
  respond(response, statusOf(error.code), JSON.stringify(problemOf(error, docsUrl, scope?.id)));
}

/** The security headers as text. */
const protection = securityHeaders.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join('');

/** Codes of Node's errors about requests. */
const unreadable: Record<string, RequestErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** Sends a problem in response to bytes that are not an HTTP request. Node offers only the socket for it. */
export function rejectUnreadable(log: Logger, docsUrl: string | undefined) {
  return (error: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket: Duplex): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const id = randomUUID();
    const code = unreadable[error.code ?? ''] ?? 'malformed_request';
    const status = statusOf(code);
    const body = JSON.stringify(problemOf(new AppError(code), docsUrl, id));
    log.warn({ requestId: id, code: error.code, res: { status } }, 'request unreadable');
    const isHead = error.rawPacket?.toString('latin1', 0, 5) === 'HEAD ';
    socket.end(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n` +
        `Content-Type: application/problem+json; charset=utf-8\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\n` +
        `X-Request-Id: ${id}\r\nConnection: close\r\n${protection}\r\n${isHead ? '' : body}`,
    );
  };
}
