import type { IncomingMessage } from 'node:http';

/** Largest request body in bytes: room for a tag's 10,000 items in the wordiest encoding (form, percent-encoded). */
export const bodyLimit = 512 * 1024;

/** Whether a request carries a body at all, even an empty chunked one. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
