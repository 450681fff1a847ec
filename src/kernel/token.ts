import { hash, randomBytes } from 'node:crypto';

// Tokens of this service, and those imported from another one: b64token of RFC 6750.
const pattern = /^(?=.{16,512}$)[A-Za-z0-9._~+/-]+=*$/;
const issuedTokens = /pp_[A-Za-z0-9_-]{43}/g;
const credentials = /\b(bearer|basic|digest|token)(?:[\s+]+|%20|=)\\?["']?[A-Za-z0-9._~+/%-]{16,}=*/gi;
// In a header, in a JSON member, or in JSON inside a JSON string.
const authorization = /\b(authorization\\?["']?\s*[:=]\s*\\?["']?)[^"'\\\r\n]+/gi;

// Most texts have none of the words: one search is faster than three replacements.
const suspicious = /pp_|authorization|bearer|basic|digest|token/i;

/** Redacts issued tokens and the credentials of `Authorization` headers. */
export function redactTokens(text: string): string {
  if (!suspicious.test(text)) return text;
  return text
    .replace(authorization, '$1[redacted]')
    .replace(credentials, '$1 [redacted]')
    .replace(issuedTokens, 'pp_[redacted]');
}

/** Whether a text has the form of a bearer token: 16 to 512 characters of RFC 6750. */
function isToken(text: string): boolean {
  return pattern.test(text);
}

/** Maximum rounds of decoding when looking for a token in a path. */
const maxDecodings = 5;

/** In characters. Decoding takes time, and no path of the service is longer. */
const maxPathLength = 2_000;

/**
 * The path of a URL with tokens redacted: decoded if the encoding hides one, `[encoded]` if it is nested too deep. Of a long
 * path, only whole segments, because a cut token would not be recognized.
 */
export function redactPath(url: string): string {
  const [whole = ''] = url.split('?', 1);
  const path = whole.length > maxPathLength ? `${whole.slice(0, whole.lastIndexOf('/', maxPathLength) + 1)}…` : whole;
  let decoded = path;
  for (let round = 0; round < maxDecodings; round += 1) {
    const next = decode(decoded);
    if (next === decoded) {
      const redacted = redactTokens(decoded);
      return redacted === decoded ? path : redacted;
    }
    decoded = next;
  }
  return '[encoded]';
}

// Byte by byte: tokens are ASCII, and invalid UTF-8 around one must not prevent its redaction.
function decode(text: string): string {
  return text.replace(/%[0-9a-f]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));
}

/** A new opaque partner token: `pp_` and 256 random bits. */
export function generateToken(): string {
  return `pp_${randomBytes(32).toString('base64url')}`;
}

/** The stored form of a token. A fast hash suffices for 256 random bits. */
export function hashToken(token: string): string {
  return hash('sha256', token);
}

/** The token of `Authorization: Bearer TOKEN`, or of `Token token="TOKEN"` or `Token "TOKEN"`, as Rails clients send it. */
export function parseAuthorization(authorization = ''): string | undefined {
  const [, credentials = ''] = /^(?:bearer|token)\s(.*)$/i.exec(authorization.trim()) ?? [];
  // Rails clients may add other parameters.
  const [, named] = /(?:^|[,;\t]) *token *=([^,;\t]*)/i.exec(credentials) ?? /^([^,;\t]*)/.exec(credentials) ?? [];
  const token = (named ?? '').trim().replace(/^"([^"]*)"$/, '$1');
  return isToken(token) ? token : undefined;
}
