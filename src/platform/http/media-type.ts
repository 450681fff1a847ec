import { MIMEType } from 'node:util';

/** Parses a media type as leniently as browsers. Throws for a malformed one. Node.js takes quadratic time for runs of spaces. */
export function parseMediaType(text: string): MIMEType {
  return new MIMEType(text.replace(/[\t\n\r ]+/g, ' '));
}
