import { createHash } from 'node:crypto';
import type { WrittenProductTag } from './product-tag.service.ts';

/** The version of a tag: a digest of its names and items, so that every change of them changes it, even one by SQL. */
export function versionOf({
  nameEn,
  nameAr,
  itemIds,
}: Pick<WrittenProductTag, 'nameEn' | 'nameAr' | 'itemIds'>): string {
  const content = JSON.stringify([nameEn, nameAr, itemIds]);
  // 132 bits: two versions are never the same by chance.
  return createHash('sha256').update(content).digest('base64url').slice(0, 22);
}

const entityTag = '(?:W/)?"[\\x21\\x23-\\x7e\\x80-\\xff]*"';
const entityTags = new RegExp(`^[\\s,]*${entityTag}(?:\\s*,[\\s,]*${entityTag})*[\\s,]*$`);
const bareVersion = /^[\w-]{22}$/;

/** Whether a text is an If-Match condition: `*`, a list of entity tags (RFC 9110, 13.1.1), or a bare version. */
export function isVersionCondition(ifMatch: string): boolean {
  const condition = ifMatch.trim();
  return condition === '*' || bareVersion.test(condition) || entityTags.test(condition);
}

/** Whether an If-Match condition names the version. Weak entity tags and malformed conditions name none. */
export function matchesVersion(ifMatch: string, version: string): boolean {
  if (!isVersionCondition(ifMatch)) return false;
  const condition = ifMatch.trim();
  if (condition === '*' || condition === version) return true;
  return condition.match(new RegExp(entityTag, 'g'))?.includes(`"${version}"`) === true;
}
