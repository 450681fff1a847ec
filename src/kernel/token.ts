import { createHash, randomBytes } from 'node:crypto';

const pattern = /^pp_[A-Za-z0-9_-]{43}$/;
const tokens = /pp_[A-Za-z0-9_-]{43}/g;

/** A text in which every partner token is unreadable. */
export function redactTokens(text: string): string {
  return text.replace(tokens, 'pp_[redacted]');
}

/** A new opaque partner token: `pp_` and 256 random bits. */
export function generateToken(): string {
  return `pp_${randomBytes(32).toString('base64url')}`;
}

/** What is stored of a token. A fast hash suffices for 256 random bits. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** The token of an `Authorization: Bearer pp_...` header; undefined where there is none of that form. */
export function parseBearer(authorization: string | undefined): string | undefined {
  const [scheme = '', token = '', ...rest] = authorization?.trim().split(/ +/) ?? [];
  return scheme.toLowerCase() === 'bearer' && rest.length === 0 && pattern.test(token) ? token : undefined;
}
