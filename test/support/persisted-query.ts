import { createHash } from 'node:crypto';

/** The body of a request for a document by its hash. */
export function persistedBody(document: string, more: object = {}) {
  const sha256Hash = createHash('sha256').update(document).digest('hex');
  return { ...more, extensions: { persistedQuery: { version: 1, sha256Hash } } };
}

/** A POST for a document by its hash, with `more` in its body. */
export function persisted(document: string, more: object = {}, headers: Record<string, string> = {}) {
  return {
    body: JSON.stringify(persistedBody(document, more)),
    headers: { 'Content-Type': 'application/json', ...headers },
  };
}
