import { maxItems } from '../../domain/partner/product-tags/product-tag.service.ts';

/** How many more writes a list of ids counts: one for each hundred. Those beyond the maximum count nothing: the mutation rejects them. */
export function moreWritesOf(count: number): number {
  return Math.floor(Math.min(count, maxItems) / 100);
}
