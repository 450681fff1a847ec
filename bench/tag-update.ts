import type { Data } from './data.ts';
import type { Request } from './load.ts';

/**
 * The statements of the service's transaction that updates a tag and its items, each value as it is to stand in them.
 * Between `begin` and `commit`, they are what updating a tag costs the database.
 */
export function tagUpdateStatements(companyId: string, tagId: string, name: string, itemIds: string): string[] {
  const tag = `company_id = ${companyId} and id = ${tagId}`;
  return [
    `select id from product_tags where ${tag} for no key update`,
    `select id, item_type from items where company_id = ${companyId} and id = any(${itemIds}::integer[])
      order by id for key share`,
    `update product_tags set name_en = ${name} where ${tag} returning id, company_id, name_en, name_ar`,
    `delete from product_taggings where company_id = ${companyId} and product_tag_id = ${tagId}
      and not item_id = any(${itemIds}::integer[])`,
    `insert into product_taggings (company_id, product_tag_id, item_id)
      select ${companyId}::integer, ${tagId}::integer, wanted.item_id from unnest(${itemIds}::integer[]) wanted (item_id)
      on conflict do nothing`,
  ];
}

export const fewestItems = 30;
export const mostItems = 50;

// As whoever edits a tag does: its items are of the same 60 every time, so that an update changes about a third of them.
// Which ones is a shift: 7 and 60 have no common divisor, so that no item comes twice.
export const itemRange = 60;
export const stride = 7;
export const itemsBetweenTags = 10;

/** Updates over REST: the company's tags one after the other, each with other items every time. */
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
