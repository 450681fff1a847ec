import { argumentOrHeader } from '../../request/argument-or-header.ts';
import type { RequestContext } from '../../request/context.ts';

/** The default of the argument `idempotencyKey`. */
export const idempotencyKeyHeader = 'Idempotency-Key';

const pattern = /^[\x20-\x7e]{1,255}$/;
const quoted = /^"((?:[^"\\]|\\["\\])*)"$/;

/**
 * Parses a key of 1 to 255 printable ASCII characters: bare, or quoted as in the IETF's draft of the header (RFC 9651).
 * Returns undefined for a malformed key.
 */
function parseIdempotencyKey(text: string): string | undefined {
  const key = text.startsWith('"') ? quoted.exec(text)?.[1]?.replace(/\\(.)/g, '$1') : text;
  return key !== undefined && pattern.test(key) ? key : undefined;
}

/** The key of a creation: the argument, or the header. Throws `invalid_parameter` if it is malformed. */
export function idempotencyKeyOf(context: RequestContext, key: string | null | undefined): string | undefined {
  return argumentOrHeader(context, 'idempotencyKey', key, idempotencyKeyHeader, parseIdempotencyKey);
}
