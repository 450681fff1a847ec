const pattern = /^[\x20-\x7e]{1,255}$/;
const quoted = /^"((?:[^"\\]|\\["\\]){1,255})"$/;

/**
 * Parses a key of 1 to 255 printable ASCII characters: bare, or quoted as in the IETF's draft of the header (RFC 9651).
 * Returns undefined for a malformed key.
 */
export function parseIdempotencyKey(text: string): string | undefined {
  const key = text.startsWith('"') ? quoted.exec(text)?.[1]?.replace(/\\(.)/g, '$1') : text;
  return key !== undefined && pattern.test(key) ? key : undefined;
}
