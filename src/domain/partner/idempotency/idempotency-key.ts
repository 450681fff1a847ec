import { AppError } from '../../../kernel/errors/app-error.ts';
import type { RequestContext } from '../../request/context.ts';

/** The request header, which stands in for the argument where that is absent. */
export const idempotencyKeyHeader = 'Idempotency-Key';

const pattern = /^[\x20-\x7e]{1,255}$/;
const quoted = /^"((?:[^"\\]|\\["\\])*)"$/;

/**
 * The key that a text means: 1 to 255 printable ASCII characters, as they are or as the quoted string that the IETF's draft
 * of the header has (a structured field of RFC 9651); undefined for anything else.
 */
export function parseIdempotencyKey(text: string): string | undefined {
  const key = text.startsWith('"') ? quoted.exec(text)?.[1]?.replace(/\\(.)/g, '$1') : text;
  return key !== undefined && pattern.test(key) ? key : undefined;
}

/** The key of a write, from its argument or else from the header. Throws `invalid_parameter` for one that is none. */
export function readIdempotencyKey(argument: string | null | undefined, context: RequestContext): string | undefined {
  const text = argument ?? context.header(idempotencyKeyHeader.toLowerCase());
  if (text === undefined) return undefined;
  const key = parseIdempotencyKey(text);
  if (key !== undefined) return key;
  const parameter = typeof argument === 'string' ? 'idempotencyKey' : idempotencyKeyHeader;
  throw new AppError('invalid_parameter', { values: { parameter, expected: 'idempotencyKey' } });
}
