import { maxItems } from '../../domain/partner/product-tags/product-tags.ts';

/** How many more writes a list of ids counts: one for each hundred. Ids beyond the maximum count nothing, as they are rejected. */
export function moreWritesOf(count: number): number {
  return Math.floor(Math.min(count, maxItems) / 100);
}

/** The price of all item ids of a tag that a response contains and its request does not. */
export const priceOfItemIds = 5_000;
