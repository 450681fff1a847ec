import type { Data } from './data.ts';
import type { Request } from './wrk.ts';

/** The statements between `begin` and `commit` that update a tag and its items, with values as SQL. */
export function tagUpdateStatements(companyId: string, tagId: string, name: string, itemIds: string): string[] {
  return [
    `select id, company_id, name_en, name_ar from product_tags
      where company_id = ${companyId} and id = ${tagId} for no key update`,
    `with found as materialized (
      select id, item_type from items where company_id = ${companyId} and id = any(${itemIds}::integer[])
      order by id for key share
    ), offending as materialized (
      select id, item_type from found where item_type <> 'product'
      union all
      select id, null from (select unnest(${itemIds}::integer[]) as id except select id from found) as missing
    ), tag as materialized (
      select id, ${name}::text as name_en, name_ar from product_tags
      where company_id = ${companyId} and id = ${tagId} and not exists (select from offending)
    ), renamed as (
      update product_tags set name_en = tag.name_en, name_ar = tag.name_ar from tag
      where company_id = ${companyId} and product_tags.id = tag.id
        and (product_tags.name_en, product_tags.name_ar) is distinct from (tag.name_en, tag.name_ar)
    ), absent as materialized (
      select item_id from product_taggings
      where company_id = ${companyId} and product_tag_id = ${tagId} and exists (select from tag)
      except select id from found
    ), unlinked as (
      delete from product_taggings
      where company_id = ${companyId} and product_tag_id = ${tagId} and item_id = any(array(select item_id from absent))
    ), linked as (
      insert into product_taggings (company_id, product_tag_id, item_id)
      select ${companyId}, tag.id, found.id from tag, found
      on conflict do nothing
    )
    select id, item_type from offending order by id`,
  ];
}

export const fewestItems = 30;
export const mostItems = 50;

// Updates select from the same 60 items, so about a third change. 7 and 60 are coprime, so no item repeats.
export const itemRange = 60;
export const stride = 7;
export const itemsBetweenTags = 10;

/** Updates over REST: one tag of the company after the other, with different items each time. */
export function tagUpdateRequests({ tagIds, productIds }: Data, count: number): Request[] {
  return Array.from({ length: count }, (_, index) => {
    const tagIndex = index % tagIds.length;
    const tagId = tagIds[tagIndex] as number;
    const start = (tagIndex * itemsBetweenTags) % (productIds.length - itemRange);
    const shift = randomInteger(0, itemRange - 1);
    const itemIds = Array.from(
      { length: randomInteger(fewestItems, mostItems) },
      (_, n) => productIds[start + ((n * stride + shift) % itemRange)] as number,
    );
    return tagUpdateRequest(tagId, `Tag ${tagId}`, itemIds);
  });
}

export function writeHeaders({ token }: Data): Record<string, string> {
  return { 'content-type': 'application/json', authorization: `Bearer ${token}` };
}

export function tagUpdateRequest(tagId: number, nameEn: string, itemIds: number[]): Request {
  return {
    method: 'PUT',
    path: `/partner_portal/v1/product_tags/${tagId}`,
    body: JSON.stringify({ name_en: nameEn, item_ids: itemIds }),
  };
}

function randomInteger(from: number, to: number): number {
  return from + Math.floor(Math.random() * (to - from + 1));
}
