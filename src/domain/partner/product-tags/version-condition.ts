const entityTag = '(?:W/)?"[\\x21\\x23-\\x7e\\x80-\\xff]*"';
const entityTags = `[\\s,]*${entityTag}(?:\\s*,[\\s,]*${entityTag})*[\\s,]*`;
const pattern = new RegExp(`^(?:\\*|[\\da-f-]{36}|${entityTags})$`);

/** An If-Match condition: `*`, a bare version, or a list of entity tags (RFC 9110, 13.1.1). Undefined for a malformed one. */
export function parseVersionCondition(ifMatch: string): string | undefined {
  const condition = ifMatch.trim();
  return pattern.test(condition) ? condition : undefined;
}

/** Whether a condition names the version. Weak entity tags name none. */
export function matchesVersion(condition: string, version: string): boolean {
  return condition === '*' || condition === version || condition.split(/[\s,]+/).includes(`"${version}"`);
}
