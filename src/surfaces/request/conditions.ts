import { AppError } from '../../kernel/errors/app-error.ts';
import type { Expectation } from '../../kernel/errors/catalog.ts';
import type { RequestContext } from './context.ts';

/** The default of the argument `idempotencyKey`. */
export const idempotencyKeyHeader = 'Idempotency-Key';

/** The key of a creation: the argument, or the header. Throws `invalid_parameter` if it is malformed. */
export function idempotencyKeyOf(context: RequestContext, key: string | null | undefined): string | undefined {
  return argumentOrHeader(context, 'idempotencyKey', key, idempotencyKeyHeader, parseIdempotencyKey);
}

/**
 * Notes the key of one of the creations of a document. Throws `invalid_parameter` if it is malformed, or another creation has it:
 * the second would return the tag of the first.
 */
export function noteIdempotencyKey(context: RequestContext, argument: string | null | undefined): void {
  const key = idempotencyKeyOf(context, argument);
  if (key === undefined) return;
  if (context.idempotencyKeys.has(key)) {
    const parameter = typeof argument === 'string' ? 'idempotencyKey' : idempotencyKeyHeader;
    throw new AppError('invalid_parameter', { values: { parameter, expected: 'ownIdempotencyKey' } });
  }
  context.idempotencyKeys.add(key);
}

/** The condition of a write: the argument, or the header If-Match. Throws `invalid_parameter` if it is malformed. */
export function versionConditionOf(context: RequestContext, ifMatch: string | null | undefined): string | undefined {
  return argumentOrHeader(context, 'ifMatch', ifMatch, 'If-Match', parseVersionCondition);
}

/**
 * The versions that an update on REST excludes: the header If-None-Match, with the syntax of If-Match. Throws
 * `invalid_parameter` if it is malformed.
 */
export function excludedVersionsOf(context: RequestContext): string | undefined {
  return argumentOrHeader(context, 'ifMatch', undefined, 'If-None-Match', parseVersionCondition);
}

function argumentOrHeader(
  { response }: RequestContext,
  name: Expectation,
  argument: string | null | undefined,
  header: string,
  parse: (text: string) => string | undefined,
): string | undefined {
  const text = argument ?? response.req.headers[header.toLowerCase()]?.toString();
  const value = text === undefined ? undefined : parse(text);
  if (value !== undefined || text === undefined) return value;
  const parameter = typeof argument === 'string' ? name : header;
  throw new AppError('invalid_parameter', { values: { parameter, expected: name } });
}

const keyPattern = /^[\x20-\x7e]{1,255}$/;
const quotedKey = /^"((?:[^"\\]|\\["\\]){1,255})"$/;

/**
 * Parses a key of 1 to 255 printable ASCII characters: bare, or quoted as in the IETF's draft of the header (RFC 9651).
 * Returns undefined for a malformed key.
 */
function parseIdempotencyKey(text: string): string | undefined {
  const key = text.startsWith('"') ? quotedKey.exec(text)?.[1]?.replace(/\\(.)/g, '$1') : text;
  return key !== undefined && keyPattern.test(key) ? key : undefined;
}

const entityTag = '(?:W/)?"[\\x21\\x23-\\x7e\\x80-\\xff]*"';
const entityTags = `[\\s,]*${entityTag}(?:\\s*,[\\s,]*${entityTag})*[\\s,]*`;
const versionPattern = new RegExp(`^(?:\\*|[\\da-f-]{36}|${entityTags})$`);

/** In characters; the mutations of a document may all have the same condition. */
const maxConditionLength = 10_000;

/** Parses a condition of at most 10,000 characters: `*`, a bare version, or entity tags (RFC 9110, 13.1.1 and 13.1.2). Undefined if malformed. */
function parseVersionCondition(text: string): string | undefined {
  if (text.length > maxConditionLength) return undefined;
  const condition = text.trim();
  return versionPattern.test(condition) ? condition : undefined;
}
