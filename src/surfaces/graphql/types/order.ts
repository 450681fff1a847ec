import { registerEnumType } from 'type-graphql';

import type { Order } from '../../../domain/lists/ordered-list.ts';

/** Registers the GraphQL enum of a list's orders: by id, by names, and others with their descriptions. */
export function registerOrder(
  name: string,
  entries: string,
  byArabicName: string,
  others: Partial<Record<Order, { description: string }>> = {},
): Partial<Record<Order, Order>> {
  const names = ['ID', 'NAME_EN', 'NAME_AR', ...(Object.keys(others) as Order[])] as const;
  const order = Object.fromEntries(names.map((each) => [each, each])) as Partial<Record<Order, Order>>;
  registerEnumType(order, {
    name,
    description: `The order of a list of ${entries}. Names sort in the order of both alphabets, and equal ones by id.`,
    valuesConfig: {
      ID: { description: 'By id.' },
      NAME_EN: { description: 'By English name.' },
      NAME_AR: { description: byArabicName },
      ...others,
    },
  });
  return order;
}
