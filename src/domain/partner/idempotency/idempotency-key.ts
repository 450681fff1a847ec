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
