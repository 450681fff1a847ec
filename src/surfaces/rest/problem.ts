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

/** The code of the errors, or `validation_failed` if they have several codes. */
export function invalidFields(validationErrors: readonly ValidationError<number | string>[]): AppError {
  const [code = 'validation_failed', ...others] = new Set(
    validationErrors.map((validationError) => validationError.code),
  );
  return new AppError(others.length > 0 ? 'validation_failed' : code, { validationErrors });
}

function toProblem(error: AppError, { id, locale }: Pick<RequestScope, 'id' | 'locale'>) {
  const { code, hint } = error;
  const status = toHttpStatus(code);
  const fields = formatMessagesByField(error, locale);
  const messages = fields === undefined ? [formatMessage(code, locale, error.values)] : Object.values(fields).flat();
  return {
    // A URI reference (RFC 9457).
    type: `/guides/errors#${code}`,
    title: STATUS_CODES[status],
    status,
    detail: [...messages, ...(hint === undefined ? [] : [formatHint(hint, locale)])].join(' '),
    code,
    request_id: id,
    ...(fields && { errors: fields }),
  };
}

const headersByCode: Partial<Record<AppError['code'], string>> = {
  idempotency_key_in_use: idempotencyKeyHeader,
  idempotency_key_reused: idempotencyKeyHeader,
};

function formatMessagesByField(
  { code, values, validationErrors }: AppError,
  locale: Locale,
): Record<string, string[]> | undefined {
  if (validationErrors === undefined) {
    const parameter = code === 'invalid_parameter' ? String(values.parameter) : headersByCode[code];
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

export function sendProblem(response: Response, error: AppError): void {
  response.vary('Accept');
  response.setHeader('Content-Type', `${negotiateProblemType(response.req.headers.accept)}; charset=utf-8`);
  send(response, toHttpStatus(error.code), JSON.stringify(toProblem(error, response.locals.context)));
}

const [json, problemJson] = ['application/json', 'application/problem+json'] as const;

/** JSON, unless `Accept` gives problem+json at least the weight of JSON. */
function negotiateProblemType(accept: string | undefined): string {
  const ranges = parseAccept(accept);
  const getWeight = (...names: string[]) =>
    names.map((name) => ranges.find(({ type }) => type === name)).find((range) => range !== undefined)?.weight ?? 0;
  const weight = getWeight(problemJson);
  return weight > 0 && weight >= getWeight(json, 'application/*', '*/*') ? problemJson : json;
}

const securityHeaderLines = [...securityHeaders].map(([name, value]) => `${name}: ${value}\r\n`).join('');

const codesByNodeError: Record<string, RequestErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** Responds to malformed HTTP on the socket, because Node has no response object then. */
export function rejectUnreadable(log: Logger) {
  return (error: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) return;
    const id = randomUUID();
    const code = codesByNodeError[error.code ?? ''] ?? 'malformed_request';
    const status = toHttpStatus(code);
    const body = JSON.stringify(toProblem(new AppError(code), { id, locale: 'en' }));
    log.warn({ requestId: id, code: error.code, res: { status } }, 'request unreadable');
    const isHead = error.rawPacket?.toString('latin1', 0, 5) === 'HEAD ';
    socket.end(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n` +
        `Content-Type: application/json; charset=utf-8\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\n` +
        `X-Request-Id: ${id}\r\nConnection: close\r\n${securityHeaderLines}\r\n${isHead ? '' : body}`,
    );
    // Leaves the client time to read it.
    setTimeout(() => socket.destroy(), remainderTimeout).unref();
  };
}
