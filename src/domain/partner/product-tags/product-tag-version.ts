import { createHash } from 'node:crypto';
import type { WrittenProductTag } from './product-tag.service.ts';

/**
 * The version of a tag: a digest of its names and items, so that it is right whoever changed them, and the same again when
 * they are.
 */
export function versionOf({
  nameEn,
  nameAr,
  itemIds,
}: Pick<WrittenProductTag, 'nameEn' | 'nameAr' | 'itemIds'>): string {
  const content = JSON.stringify([nameEn, nameAr, itemIds]);
  // 132 of its bits, which nobody meets twice by chance.
  return createHash('sha256').update(content).digest('base64url').slice(0, 22);
}

const entityTag = '(?:W/)?"[\\x21\\x23-\\x7e\\x80-\\xff]*"';
const entityTags = new RegExp(`^[\\s,]*${entityTag}(?:\\s*,[\\s,]*${entityTag})*[\\s,]*$`);

/**
 * Whether an If-Match condition names the version: `*`, or a list of entity tags, compared strongly (RFC 9110, 13.1.1), or
 * a bare version. What is none of these names nothing.
 */
export function matchesVersion(ifMatch: string, version: string): boolean {
  const condition = ifMatch.trim();
  if (condition === '*' || condition === version) return true;
  if (!entityTags.test(condition)) return false;
  return condition.match(new RegExp(entityTag, 'g'))?.includes(`"${version}"`) === true;
}
