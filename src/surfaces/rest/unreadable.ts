import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { AppError } from '../../kernel/errors/app-error.ts';
import { type RequestErrorCode, statusOf } from '../../kernel/errors/catalog.ts';
import { securityHeaders } from '../../platform/http/middleware.ts';
import { problemOf } from './problem.ts';

const protection = securityHeaders.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join('');

/** Responds to bytes that Node cannot read as a request. There is no response object, so it writes the problem itself. */
export function answerUnreadable(log: Logger): (error: NodeJS.ErrnoException, socket: Duplex) => void {
  return (error, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const id = randomUUID();
    const code = codeOf(error);
    const status = statusOf(code);
    const body = JSON.stringify(problemOf(new AppError(code), id));
    log.warn({ requestId: id, code: error.code, res: { status } }, 'request unreadable');
    socket.end(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n` +
        `Content-Type: application/problem+json; charset=utf-8\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\n` +
        `X-Request-Id: ${id}\r\nConnection: close\r\n${protection}\r\n${body}`,
    );
  };
}

function codeOf({ code }: NodeJS.ErrnoException): RequestErrorCode {
  if (code === 'HPE_HEADER_OVERFLOW') return 'headers_too_large';
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'request_timeout' : 'malformed_request';
}
