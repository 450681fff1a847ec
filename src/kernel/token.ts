import { hash, randomBytes } from 'node:crypto';

// b64token of RFC 6750: tokens of this service, and those imported from another one.
const tokenPattern = /^(?=.{16,512}$)[A-Za-z0-9._~+/-]+=*$/;
const issuedTokens = /pp_[A-Za-z0-9_-]{43}/g;
const credentials = /\b(bearer|basic|digest|token)(?:[\s+]+|%20|=)\\?["']?[A-Za-z0-9._~+/%-]{16,}=*/gi;
// Matches a header, a JSON member, and JSON inside a JSON string.
const authorization = /\b(authorization\\?["']?\s*[:=]\s*\\?["']?)[^"'\\\r\n]+/gi;

// Most texts have none of these words, and one search is faster than three replacements.
const suspicious = /pp_|authorization|bearer|basic|digest|token/i;

export function redactTokens(text: string): string {
  if (!suspicious.test(text)) return text;
  return text
    .replace(authorization, '$1[redacted]')
    .replace(credentials, '$1 [redacted]')
    .replace(issuedTokens, 'pp_[redacted]');
}

const maxDecodings = 5;

const maxPathLength = 2_000;

/** Decodes the path if its encoding hides a token. `[encoded]` if it is nested too deep. */
export function redactPath(url: string): string {
  const [full = ''] = url.split('?', 1);
  // Whole segments, because a truncated token would not be recognized.
  const path = full.length > maxPathLength ? `${full.slice(0, full.lastIndexOf('/', maxPathLength) + 1)}…` : full;
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

// Byte by byte, because invalid UTF-8 around a token must not prevent its redaction.
function decode(text: string): string {
  return text.replace(/%[0-9a-f]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));
}

export function generateToken(): string {
  return `pp_${randomBytes(32).toString('base64url')}`;
}

/** A fast hash suffices for 256 random bits. */
export function hashToken(token: string): string {
  return hash('sha256', token);
}

/** Accepts `Bearer TOKEN` and, from Rails clients, `Token token="TOKEN"` or `Token "TOKEN"`. */
export function parseAuthorization(authorization = ''): string | undefined {
  const [, credentials = ''] = /^(?:bearer|token)\s(.*)$/i.exec(authorization.trim()) ?? [];
  const [, value] = /(?:^|[,;\t]) *token *=([^,;\t]*)/i.exec(credentials) ?? /^([^,;\t]*)/.exec(credentials) ?? [];
  const token = (value ?? '').trim().replace(/^"([^"]*)"$/, '$1');
  return tokenPattern.test(token) ? token : undefined;
}
