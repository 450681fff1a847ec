import { sql } from 'kysely';
import { type Outcome, outcomeOf, type Refusal, RefusedError } from '../../../kernel/errors/refusal.ts';
import { anyOf, pipeline, statement } from '../../../platform/database/statement.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { TenantKey } from '../../lists/batches.ts';
import type { Database } from '../../tables.ts';
import { type ItemRow, items } from '../items/items.ts';
import { findProductTags, lockItems } from './product-tag.queries.ts';
import { distinct, refuseItems, type WriteContext, type WrittenProductTag } from './product-tag.service.ts';
import { maxItems, type ProductTagRow } from './product-tags.ts';

/** A written item, with its tags by id, and the tags that it got or lost. */
export type TaggedItem = ItemRow & { productTags: WrittenProductTag[]; changedTagIds: number[] };

/** Longer lists of items are not read in the transaction. */
const maxShownItems = 20_000;

/**
 * Sets the tags of an item of the caller's company; does not write unchanged links. The refusals are every broken rule.
 * `selectsItemIds`: whether the response shows the items of the tags.
 */
export function setItemTags(
  context: WriteContext,
  key: TenantKey,
  productTagIds: number[],
  selectsItemIds: boolean,
): Promise<Outcome<TaggedItem>> {
  const wanted = distinct(productTagIds);
  const set = async () => {
    let item: TaggedItem | undefined;
    while (item === undefined)
      item = await inTransaction(context.db, (transaction) => trySet(transaction, key, wanted, selectsItemIds));
    return item;
  };
  const { companyId, id } = key;
  const tags = wanted.toSorted((a, b) => a - b).map((tag) => `tag ${companyId}:${tag}`);
  return context.admission.write([`item ${companyId}:${id}`, ...tags], () => outcomeOf(set()));
}

/**
 * Locks the present and the wanted tags in the order of their ids, before the item, so that it cannot deadlock with
 * updates of tags. Returns undefined, without a write, if the item got another tag while this waited for the locks.
 */
async function trySet(
  transaction: Database,
  { companyId, id }: TenantKey,
  wanted: number[],
  selectsItemIds: boolean,
): Promise<TaggedItem | undefined> {
  const links = { companyId, itemId: id };
  const [locked, offending, present, [item]] = await pipeline(transaction, [
    lockTags.with({ ...links, wanted }),
    lockItems.with({ companyId, itemIds: [id] }),
    listTagIds.with(links),
    items.select.with({ companyId, keys: [id] }),
  ]);
  const now = present.map(({ productTagId }) => productTagId);
  const countOf = new Map(locked.map((tag) => [tag.id, tag.itemCount]));
  if (!now.every((tag) => countOf.has(tag))) return undefined;
  const removed = now.filter((tag) => !wanted.includes(tag));
  const added = wanted.filter((tag) => !now.includes(tag));
  const missing = added.filter((tag) => !countOf.has(tag));
  const full = added.filter((tag) => (countOf.get(tag) ?? 0) >= maxItems);
  const refusals = [
    ...refuseItems(offending, 'itemId'),
    ...refuseTags('product_tag_not_found', missing),
    ...refuseTags('too_many_items', full),
  ];
  if (refusals.length > 0) throw new RefusedError(...refusals);
  const shown = wanted.reduce((total, tag) => total + (countOf.get(tag) ?? 0), 0);
  const results = await pipeline(transaction, [
    ...(removed.length > 0 ? [unlinkTags.with({ ...links, productTagIds: removed })] : []),
    ...(added.length > 0 ? [linkTags.with({ ...links, productTagIds: added })] : []),
    findProductTags.with({ companyId, keys: wanted, selectsItemIds: selectsItemIds && shown <= maxShownItems }),
  ]);
  // It exists, because nothing refuses it.
  const productTags = results.at(-1) as WrittenProductTag[];
  return { ...(item as ItemRow), productTags, changedTagIds: [...removed, ...added] };
}

function refuseTags(code: Refusal['code'], productTagIds: number[]): Refusal[] {
  return productTagIds.length > 0 ? [{ code, field: 'productTagIds', ids: { productTagIds } }] : [];
}

interface ItemLinks {
  companyId: number;
  itemId: number;
}

type ItemTags = ItemLinks & { productTagIds: readonly number[] };

/** Locks the tags that an item has or shall have, by id, until the transaction ends. */
const lockTags = statement(
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
const listTagIds = statement((db: Database, { companyId, itemId }: ItemLinks) =>
  db
    .selectFrom('productTaggings')
    .select('productTagId')
    .where('companyId', '=', companyId)
    .where('itemId', '=', itemId),
);

const unlinkTags = statement((db: Database, { companyId, itemId, productTagIds }: ItemTags) =>
  db
    .deleteFrom('productTaggings')
    .where('companyId', '=', companyId)
    .where('itemId', '=', itemId)
    .where('productTagId', '=', anyOf(productTagIds)),
);

const linkTags = statement(
  (_: Database, { companyId, itemId, productTagIds }: ItemTags) => sql<never>`
    insert into product_taggings (company_id, product_tag_id, item_id)
    select ${companyId}::integer, unnest(${productTagIds}::integer[]), ${itemId}::integer
    on conflict do nothing`,
);
