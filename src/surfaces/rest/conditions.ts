import type { IncomingHttpHeaders } from 'node:http';
import { isIdempotencyKey } from '../../domain/partner/idempotency/idempotency-keys.ts';
import type { VersionCondition } from '../../domain/partner/product-tags/product-tag.service.ts';
import { AppError } from '../../kernel/errors/app-error.ts';

export const idempotencyKeyHeader = 'Idempotency-Key';

/** Accepts a bare key, or one quoted as in the IETF's draft of the header (RFC 9651). Throws `invalid_parameter`. */
export function parseIdempotencyKey(headers: IncomingHttpHeaders): string | undefined {
  const text = headers['idempotency-key']?.toString();
  if (text === undefined) return undefined;
  const key = text.startsWith('"') ? quotedKey.exec(text)?.[1]?.replace(/\\(.)/g, '$1') : text;
  if (key !== undefined && isIdempotencyKey(key)) return key;
  throw new AppError('invalid_parameter', { values: { parameter: idempotencyKeyHeader, expected: 'idempotencyKey' } });
}

const quotedKey = /^"((?:[^"\\]|\\["\\]){1,255})"$/;

/** If-Match compares strongly and If-None-Match weakly (RFC 9110, 13.1). Throws `invalid_parameter`. */
export function parseVersionCondition(headers: IncomingHttpHeaders): VersionCondition {
  const noneMatch = parseEntityTags('If-None-Match', headers['if-none-match']);
  const match = parseEntityTags('If-Match', headers['if-match']);
  return {
    ...(match && {
      match: match === 'any' ? match : match.filter(({ isWeak }) => !isWeak).map(({ version }) => version),
    }),
    ...(noneMatch && { noneMatch: noneMatch === 'any' ? noneMatch : noneMatch.map(({ version }) => version) }),
  };
}

const entityTag = '(?:W/)?"[\\x21\\x23-\\x7e\\x80-\\xff]*"';
const entityTags = new RegExp(`^[\\s,]*${entityTag}(?:\\s*,[\\s,]*${entityTag})*[\\s,]*$`);
const bareVersion = /^[\da-f-]{36}$/;

/** Parses `*`, a bare version, or a list of entity tags. */
function parseEntityTags(name: 'If-Match' | 'If-None-Match', header: string | undefined) {
  const text = header?.trim();
  if (text === undefined) return undefined;
  if (text === '*') return 'any';
  if (bareVersion.test(text)) return [{ version: text, isWeak: false }];
  if (!entityTags.test(text))
    throw new AppError('invalid_parameter', { values: { parameter: name, expected: 'ifMatch' } });
  return [...text.matchAll(/(W\/)?"([^"]*)"/g)].map(([, weak, version = '']) => ({
    version,
    isWeak: weak !== undefined,
  }));
}
