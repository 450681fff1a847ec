import { AppError } from '../../../kernel/errors/app-error.ts';
import type { RequestContext } from '../../request/context.ts';

/** The request header, used without the argument. */
export const idempotencyKeyHeader = 'Idempotency-Key';

const pattern = /^[\x20-\x7e]{1,255}$/;
const quoted = /^"((?:[^"\\]|\\["\\])*)"$/;

/**
 * The key in a text: 1 to 255 printable ASCII characters, bare or as a quoted string, as in the IETF's draft of the header (a
 * structured field of RFC 9651). Undefined for a malformed one.
 */
export function parseIdempotencyKey(text: string): string | undefined {
  const key = text.startsWith('"') ? quoted.exec(text)?.[1]?.replace(/\\(.)/g, '$1') : text;
  return key !== undefined && pattern.test(key) ? key : undefined;
}

/** The key of a write, from its argument or else from the header. Throws `invalid_parameter` for a malformed one. */
export function readIdempotencyKey(argument: string | null | undefined, context: RequestContext): string | undefined {
  const text = argument ?? context.response.req.headers['idempotency-key']?.toString();
  if (text === undefined) return undefined;
  const key = parseIdempotencyKey(text);
  if (key !== undefined) return key;
  const parameter = typeof argument === 'string' ? 'idempotencyKey' : idempotencyKeyHeader;
  throw new AppError('invalid_parameter', { values: { parameter, expected: 'idempotencyKey' } });
}
