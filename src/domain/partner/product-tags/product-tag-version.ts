import { hash } from 'node:crypto';
import type { ProductTagRow } from './product-tag.queries.ts';

/** The version of a tag: a digest of its names and items, so that every change of them changes it, even one by SQL. */
export function versionOf({ nameEn, nameAr, itemIds }: Omit<ProductTagRow, 'id'> & { itemIds: number[] }): string {
  const content = JSON.stringify([nameEn, nameAr, itemIds]);
  // 132 bits: two versions are never the same by chance.
  return hash('sha256', content, 'base64url').slice(0, 22);
}

const entityTag = '(?:W/)?"[\\x21\\x23-\\x7e\\x80-\\xff]*"';
const entityTags = `[\\s,]*${entityTag}(?:\\s*,[\\s,]*${entityTag})*[\\s,]*`;
const pattern = new RegExp(`^(?:\\*|[\\w-]{22}|${entityTags})$`);

/** An If-Match condition: `*`, a bare version, or a list of entity tags (RFC 9110, 13.1.1). Undefined for a malformed one. */
export function parseVersionCondition(ifMatch: string): string | undefined {
  const condition = ifMatch.trim();
  return pattern.test(condition) ? condition : undefined;
}

/** Whether a condition names the version. Weak entity tags name none. */
export function matchesVersion(condition: string, version: string): boolean {
  return condition === '*' || condition === version || condition.split(/[\s,]+/).includes(`"${version}"`);
}
