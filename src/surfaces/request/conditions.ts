import { parseIdempotencyKey } from '../../domain/partner/idempotency/idempotency-keys.ts';
import { parseVersionCondition } from '../../domain/partner/product-tags/version-condition.ts';
import { AppError } from '../../kernel/errors/app-error.ts';
import type { Expectation } from '../../kernel/errors/catalog.ts';
import type { RequestContext } from './context.ts';

/** The default of the argument `idempotencyKey`. */
export const idempotencyKeyHeader = 'Idempotency-Key';

/** The key of a creation: the argument, or the header. Throws `invalid_parameter` if it is malformed. */
export function idempotencyKeyOf(context: RequestContext, key: string | null | undefined): string | undefined {
  return argumentOrHeader(context, 'idempotencyKey', key, idempotencyKeyHeader, parseIdempotencyKey);
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
