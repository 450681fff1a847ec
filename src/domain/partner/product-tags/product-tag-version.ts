import { createHash } from 'node:crypto';
import { AppError } from '../../../kernel/errors/app-error.ts';
import type { RequestContext } from '../../request/context.ts';
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
const entityTags = `[\\s,]*${entityTag}(?:\\s*,[\\s,]*${entityTag})*[\\s,]*`;
const pattern = new RegExp(`^(?:\\*|[\\w-]{22}|${entityTags})$`);

/** Whether a text is an If-Match condition: `*`, a bare version, or a list of entity tags (RFC 9110, 13.1.1). */
export function isVersionCondition(ifMatch: string): boolean {
  return pattern.test(ifMatch.trim());
}

/** The condition of an update, from its argument or else from the header. Throws `invalid_parameter` for a malformed one. */
export function readVersionCondition(argument: string | null | undefined, context: RequestContext): string | undefined {
  const condition = argument ?? context.response.req.headers['if-match'];
  if (condition === undefined || isVersionCondition(condition)) return condition;
  const parameter = typeof argument === 'string' ? 'ifMatch' : 'If-Match';
  throw new AppError('invalid_parameter', { values: { parameter, expected: 'ifMatch' } });
}

/** Whether an If-Match condition names the version. Weak entity tags name none. */
export function matchesVersion(ifMatch: string, version: string): boolean {
  const condition = ifMatch.trim();
  if (condition === '*' || condition === version) return true;
  return (
    isVersionCondition(condition) && condition.match(new RegExp(entityTag, 'g'))?.includes(`"${version}"`) === true
  );
}
