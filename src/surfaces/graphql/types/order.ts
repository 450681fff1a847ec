import { registerEnumType } from 'type-graphql';

import type { Order } from '../../../domain/lists/ordered-list.ts';

/** Registers the GraphQL enum of a list's orders. */
export function registerOrder(name: string, entries: string, byArabicName: string): Record<Order, Order> {
  const order = { ID: 'ID', NAME_EN: 'NAME_EN', NAME_AR: 'NAME_AR' } as const;
  registerEnumType(order, {
    name,
    description: `The order of a list of ${entries}. Names sort in the order of both alphabets, and equal ones by id.`,
    valuesConfig: {
      ID: { description: 'By id.' },
      NAME_EN: { description: 'By English name.' },
      NAME_AR: { description: byArabicName },
    },
  });
  return order;
}
