import { MIMEType } from 'node:util';

/** As lenient as browsers. Throws for a malformed media type. */
export function parseMediaType(text: string): MIMEType {
  // Node.js takes quadratic time for runs of spaces.
  return new MIMEType(text.replace(/[\t\n\r ]+/g, ' '));
}
