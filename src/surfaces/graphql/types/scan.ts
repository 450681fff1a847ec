import { type Filters, isSet, type Reads } from '../../../domain/lists/filters.ts';
import type { Order } from '../../../domain/lists/ordered-list.ts';

/** The cost of reading all rows of a list, to find entries or to count them. */
export const priceOfScan = 2_500;

export const shownScanPrice = priceOfScan.toLocaleString('en');

/** What the description of a filter says about its price. */
export const priceNotes: Record<Reads, string> = {
  all: `Costs ${shownScanPrice}.`,
  allByName: `Costs ${shownScanPrice} in the order of names.`,
  given: 'The other conditions then cost nothing.',
};

/** The cost of finding the entries of a list that meet the filters of `args`, and of counting them `counts` times. */
export function scanCost(filters: Filters, args: { orderBy?: Order }, counts: number): number {
  const set = Object.entries(filters).filter(([name]) => isSet((args as Record<string, unknown>)[name]));
  const reads = set.map(([, filter]) => filter.reads);
  if (reads.includes('given')) return 0;
  const isById = (args.orderBy ?? 'ID') === 'ID';
  const scans = reads.filter((each) => each === 'all' || !isById).length + (args.orderBy === 'ITEM_COUNT' ? 1 : 0);
  const found = scans * priceOfScan;
  return found + counts * Math.max(found, priceOfScan);
}
