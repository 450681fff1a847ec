import Negotiator from 'negotiator';
import { memoryBounds } from '../../kernel/memory-bounds.ts';
import { remember } from '../../kernel/remember.ts';

export type Encoding = 'br' | 'gzip' | 'identity';

// The smallest first.
const encodings: Encoding[] = ['br', 'gzip', 'identity'];

/** The smallest encoding that an `Accept-Encoding` header takes. Clients send few different ones. */
export const acceptedEncoding = remember(memoryBounds.encodings, (header): Encoding => {
  const accepted = new Negotiator({ headers: { 'accept-encoding': header } }).encodings(encodings);
  return encodings.find((each) => accepted.includes(each)) ?? 'identity';
});
