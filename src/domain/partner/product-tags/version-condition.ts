const entityTag = '(?:W/)?"[\\x21\\x23-\\x7e\\x80-\\xff]*"';
const entityTags = `[\\s,]*${entityTag}(?:\\s*,[\\s,]*${entityTag})*[\\s,]*`;
const pattern = new RegExp(`^(?:\\*|[\\da-f-]{36}|${entityTags})$`);

/** In characters; the mutations of a document may all have the same condition. */
const maxLength = 10_000;

/** Parses a condition of at most 10,000 characters: `*`, a bare version, or entity tags (RFC 9110, 13.1.1 and 13.1.2). Undefined if malformed. */
export function parseVersionCondition(text: string): string | undefined {
  if (text.length > maxLength) return undefined;
  const condition = text.trim();
  return pattern.test(condition) ? condition : undefined;
}

/** Whether a condition names a version. Weak entity tags match in If-None-Match, but not in If-Match. */
export function matchesVersion(condition: string, version: string, { isWeak = false } = {}): boolean {
  const tags = condition.split(/[\s,]+/);
  const isNamed = tags.includes(`"${version}"`) || (isWeak && tags.includes(`W/"${version}"`));
  return isNamed || condition === '*' || condition === version;
}
