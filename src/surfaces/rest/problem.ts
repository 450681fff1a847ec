import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Response } from 'express';
import type { Logger } from 'pino';
import { AppError } from '../../kernel/errors/app-error.ts';
import { formatHint, formatMessage, type RequestErrorCode, toHttpStatus } from '../../kernel/errors/catalog.ts';
import { formatValidationError, type ValidationError } from '../../kernel/errors/validation-error.ts';
import type { Locale } from '../../kernel/localization/locale.ts';
import type { RequestScope } from '../../kernel/request/scope.ts';
import { parseAccept } from '../../platform/http/accept.ts';
import { securityHeaders } from '../../platform/http/headers.ts';
import { remainderTimeout, send } from '../../platform/http/send.ts';
import { idempotencyKeyHeader } from './conditions.ts';

/** The error for invalid fields, by their v1 names. Its code is their common code, or else `validation_failed`. */
export function invalidFields(validationErrors: readonly ValidationError<number | string>[]): AppError {
  const [code = 'validation_failed', ...others] = new Set(
    validationErrors.map((validationError) => validationError.code),
  );
  return new AppError(others.length > 0 ? 'validation_failed' : code, { validationErrors });
}

/** The body of a problem, in the language of the request. */
function toProblem(error: AppError, { id, locale }: Pick<RequestScope, 'id' | 'locale'>) {
  const { code, hint } = error;
  const status = toHttpStatus(code);
  const fields = messagesByField(error, locale);
  const messages = fields === undefined ? [formatMessage(code, locale, error.values)] : Object.values(fields).flat();
  return {
    // The section of the guide about the code. The type of a problem must be a URI reference (RFC 9457).
    type: `/guides/errors#${code}`,
    title: STATUS_CODES[status],
    status,
    detail: [...messages, ...(hint === undefined ? [] : [formatHint(hint, locale)])].join(' '),
    code,
    request_id: id,
    ...(fields && { errors: fields }),
  };
}

/** The headers that some errors are about. */
const invalidHeaders: Partial<Record<AppError['code'], string>> = {
  idempotency_key_in_use: idempotencyKeyHeader,
  idempotency_key_reused: idempotencyKeyHeader,
};

function messagesByField(
  { code, values, validationErrors }: AppError,
  locale: Locale,
): Record<string, string[]> | undefined {
  if (validationErrors === undefined) {
    const parameter = code === 'invalid_parameter' ? String(values.parameter) : invalidHeaders[code];
    return parameter === undefined ? undefined : { [parameter]: [formatMessage(code, locale, values)] };
  }
  const byField = Map.groupBy(validationErrors, ({ path }) => path.at(-1) ?? '');
  return Object.fromEntries(
    [...byField].map(([field, group]) => [
      field,
      group.map((validationError) => formatValidationError(validationError, locale)),
    ]),
  );
}

/** Sends an error after its headers are set. */
export function sendProblem(response: Response, error: AppError): void {
  response.vary('Accept');
  response.setHeader('Content-Type', `${problemTypeFor(response.req.headers.accept)}; charset=utf-8`);
  send(response, toHttpStatus(error.code), JSON.stringify(toProblem(error, response.locals.context)));
}

const [json, problemJson] = ['application/json', 'application/problem+json'] as const;

/** JSON, which every client can parse, unless `Accept` names the type of problems with at least the weight of JSON. */
function problemTypeFor(accept: string | undefined): string {
  const ranges = parseAccept(accept);
  /** The weight of the first of these media ranges that the header has. */
  const getWeight = (...names: string[]) =>
    names.map((name) => ranges.find(({ type }) => type === name)).find((range) => range !== undefined)?.weight ?? 0;
  const weight = getWeight(problemJson);
  return weight > 0 && weight >= getWeight(json, 'application/*', '*/*') ? problemJson : json;
}

const protection = [...securityHeaders].map(([name, value]) => `${name}: ${value}\r\n`).join('');

/** Our codes for Node's errors about unreadable requests. */
const unreadable: Record<string, RequestErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** Responds to bytes that are not an HTTP request, on the socket because Node has no response object then. */
export function rejectUnreadable(log: Logger) {
  return (error: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) return;
    const id = randomUUID();
    const code = unreadable[error.code ?? ''] ?? 'malformed_request';
    const status = toHttpStatus(code);
    const body = JSON.stringify(toProblem(new AppError(code), { id, locale: 'en' }));
    log.warn({ requestId: id, code: error.code, res: { status } }, 'request unreadable');
    const isHead = error.rawPacket?.toString('latin1', 0, 5) === 'HEAD ';
    socket.end(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n` +
        `Content-Type: application/json; charset=utf-8\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\n` +
        `X-Request-Id: ${id}\r\nConnection: close\r\n${protection}\r\n${isHead ? '' : body}`,
    );
    // After the client has read it.
    setTimeout(() => socket.destroy(), remainderTimeout).unref();
  };
}
