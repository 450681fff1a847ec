import { sql } from 'kysely';
import { anyOf, statement } from '../../../platform/database/statement.ts';
import type { Database } from '../../tables.ts';
import type { ProductTagRow } from './product-tag.queries.ts';

interface ItemLinks {
  companyId: number;
  itemId: number;
}

type ItemTags = ItemLinks & { productTagIds: readonly number[] };

/** Locks the tags that an item has or shall have, by id, until the transaction ends. */
export const lockTags = statement(
  (_: Database, { companyId, itemId, wanted }: ItemLinks & { wanted: readonly number[] }) => sql<
    Pick<ProductTagRow, 'id' | 'itemCount'>
  >`
    select id, item_count from product_tags
    where company_id = ${companyId} and id in (
      select product_tag_id from product_taggings where company_id = ${companyId} and item_id = ${itemId}
      union select unnest(${wanted}::integer[])
    )
    order by id for no key update`,
);

/** The tags of an item. After `lockTags`, with those that it got while the locks were waited for. */
export const listTagIds = statement((db: Database, { companyId, itemId }: ItemLinks) =>
  db
    .selectFrom('productTaggings')
    .select('productTagId')
    .where('companyId', '=', companyId)
    .where('itemId', '=', itemId),
);

export const unlinkTags = statement((db: Database, { companyId, itemId, productTagIds }: ItemTags) =>
  db
    .deleteFrom('productTaggings')
    .where('companyId', '=', companyId)
    .where('itemId', '=', itemId)
    .where('productTagId', '=', anyOf(productTagIds)),
);

export const linkTags = statement(
  (_: Database, { companyId, itemId, productTagIds }: ItemTags) => sql<never>`
    insert into product_taggings (company_id, product_tag_id, item_id)
    select ${companyId}::integer, unnest(${productTagIds}::integer[]), ${itemId}::integer
    on conflict do nothing`,
);
