import { argumentOrHeader } from '../../request/argument-or-header.ts';
import type { RequestContext } from '../../request/context.ts';

const entityTag = '(?:W/)?"[\\x21\\x23-\\x7e\\x80-\\xff]*"';
const entityTags = `[\\s,]*${entityTag}(?:\\s*,[\\s,]*${entityTag})*[\\s,]*`;
const pattern = new RegExp(`^(?:\\*|[\\da-f-]{36}|${entityTags})$`);

/** Parses an If-Match condition: `*`, a bare version, or entity tags (RFC 9110, 13.1.1). Undefined if malformed. */
function parseVersionCondition(ifMatch: string): string | undefined {
  const condition = ifMatch.trim();
  return pattern.test(condition) ? condition : undefined;
}

/** The condition of a write: the argument, or the header If-Match. Throws `invalid_parameter` if it is malformed. */
export function versionConditionOf(context: RequestContext, ifMatch: string | null | undefined): string | undefined {
  return argumentOrHeader(context, 'ifMatch', ifMatch, 'If-Match', parseVersionCondition);
}

/** Weak entity tags match no version. */
export function matchesVersion(condition: string, version: string): boolean {
  return condition === '*' || condition === version || condition.split(/[\s,]+/).includes(`"${version}"`);
}
