import { MIMEType } from 'node:util';

/** Parses a media type as leniently as browsers. Throws for a malformed one. */
export function parseMediaType(text: string): MIMEType {
  // Node.js takes quadratic time for runs of spaces.
  return new MIMEType(text.replace(/[\t\n\r ]+/g, ' '));
}
