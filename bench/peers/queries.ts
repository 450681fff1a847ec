import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from './kysely.ts';

// The service's statements, written out because the service may start to cache rows, which a stock server does not.

export interface Caller {
  companyId: number;
}

/** The caller of an `Authorization: Bearer` header. */
export async function findCaller(db: Database, authorization = ''): Promise<Caller> {
  const token = authorization.replace(/^Bearer /, '');
  return db
    .selectFrom('partnerTokens')
    .innerJoin('partners', 'partners.id', 'partnerTokens.partnerId')
    .where('partnerTokens.tokenHash', '=', createHash('sha256').update(token).digest('hex'))
    .where(sql<boolean>`partner_tokens.revoked_at is null and coalesce(partner_tokens.expires_at > now(), true)`)
    .select('partners.defaultCompanyId as companyId')
    .executeTakeFirstOrThrow();
}

export async function listCountries(db: Database) {
  return db.selectFrom('countries').select(['id', 'shortCode', 'dialCode', 'nameEn', 'nameAr']).orderBy('id').execute();
}

export async function listItems(
  db: Database,
  { companyId }: Caller,
  { after, limit, search }: { after: number; limit: number; search: string | undefined },
) {
  return db
    .selectFrom('items')
    .select(['id', 'companyId', 'itemType', 'nameEn', 'nameAr'])
    .where('companyId', '=', companyId)
    .where('id', '>', after)
    .$if(search !== undefined, (query) => query.where(containsWords(search?.split(' ') ?? [])))
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** As in the service, which also normalizes the words. */
function containsWords(words: string[]) {
  return sql<boolean>`search_text like all ((
    select array_agg('%' || regexp_replace(search_form(word), '[\\\\%_]', '\\\\\\&', 'g') || '%')
    from unnest(${words}::text[]) as word
  )::text[])`;
}

/** Tag connections of the items, in the order of the items. */
export async function listTagsOfItems(db: Database, items: readonly { companyId: number; id: number }[]) {
  const [{ companyId } = { companyId: 0 }] = items;
  const ids = items.map((item) => item.id);
  const rows = await db
    .selectFrom('productTaggings')
    .innerJoin('productTags', (join) =>
      join
        .onRef('productTags.companyId', '=', 'productTaggings.companyId')
        .onRef('productTags.id', '=', 'productTaggings.productTagId'),
    )
    .select([
      'productTaggings.itemId',
      'productTags.id',
      'productTags.companyId',
      'productTags.nameEn',
      'productTags.nameAr',
    ])
    .where('productTaggings.companyId', '=', companyId)
    .where('productTaggings.itemId', '=', sql<number>`any(${ids}::integer[])`)
    .orderBy('productTags.id')
    .execute();
  const byItem = Map.groupBy(rows, (row) => row.itemId);
  return ids.map((id) => ({ nodes: byItem.get(id) ?? [] }));
}
