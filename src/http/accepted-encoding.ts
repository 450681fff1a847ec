import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';

export type Encoding = 'br' | 'gzip' | 'identity';

// The smallest first.
const encodings: Encoding[] = ['br', 'gzip', 'identity'];

// Clients send few different headers.
const known = new LRUCache<string, Encoding>({ max: 200 });

/** The smallest encoding that an `Accept-Encoding` header takes. */
export function acceptedEncoding(header: string | undefined): Encoding {
  if (header === undefined) return 'identity';
  const before = known.get(header);
  if (before !== undefined) return before;
  const accepted = new Negotiator({ headers: { 'accept-encoding': header } }).encodings(encodings);
  const encoding = encodings.find((each) => accepted.includes(each)) ?? 'identity';
  known.set(header, encoding);
  return encoding;
}
