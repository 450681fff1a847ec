import { type Outcome, outcomeOf, type Refusal, RefusedError } from '../../../kernel/errors/refusal.ts';
import { pipeline } from '../../../platform/database/statement.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { TenantKey } from '../../lists/batches.ts';
import type { Database } from '../../tables.ts';
import { type ItemRow, selectItems } from '../items/item.queries.ts';
import * as queries from './item-tags.queries.ts';
import { findProductTags, lockItems } from './product-tag.queries.ts';
import { distinct, maxItems, refuseItems, type WriteContext, type WrittenProductTag } from './product-tag.service.ts';

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
    queries.lockTags.with({ ...links, wanted }),
    lockItems.with({ companyId, itemIds: [id] }),
    queries.listTagIds.with(links),
    selectItems.with({ companyId, keys: [id] }),
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
    ...(removed.length > 0 ? [queries.unlinkTags.with({ ...links, productTagIds: removed })] : []),
    ...(added.length > 0 ? [queries.linkTags.with({ ...links, productTagIds: added })] : []),
    findProductTags.with({ companyId, keys: wanted, selectsItemIds: selectsItemIds && shown <= maxShownItems }),
  ]);
  // It exists, because nothing refuses it.
  const productTags = results.at(-1) as WrittenProductTag[];
  return { ...(item as ItemRow), productTags, changedTagIds: [...removed, ...added] };
}

function refuseTags(code: Refusal['code'], productTagIds: number[]): Refusal[] {
  return productTagIds.length > 0 ? [{ code, field: 'productTagIds', productTagIds }] : [];
}
