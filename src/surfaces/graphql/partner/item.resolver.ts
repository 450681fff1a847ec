import { Arg, Args, Ctx, Int, Query, Resolver } from 'type-graphql';
import { parseFilters } from '../../../domain/lists/filters.ts';
import { itemFilters } from '../../../domain/partner/items/item.filters.ts';
import { companyItems, itemsById } from '../../../domain/partner/items/item.queries.ts';
import type { Caller } from '../../../domain/partner/tokens/tokens.ts';
import type { RequestContext } from '../../request/context.ts';
import { CurrentCaller } from '../types/access.ts';
import type { OrderedPageArgs } from '../types/connection.ts';
import { registerOrder } from '../types/order.ts';
import { Item, ItemConnection } from './item.object.ts';
import { listArgs } from './list-args.ts';

const ItemArgs = listArgs(registerOrder('ItemOrder', 'items', 'By Arabic name.'), itemFilters);

@Resolver()
export class ItemResolver {
  @Query(() => Item, {
    nullable: true,
    description: "An item of the partner's company; null for an unknown id. Needs a token.",
  })
  item(
    @CurrentCaller() _caller: Caller,
    @Ctx() { loaders }: RequestContext,
    @Arg('id', () => Int, { description: 'Id of the item.' }) id: number,
  ) {
    return loaders.of(itemsById).load(id);
  }

  @ItemConnection.FilterRules(itemFilters)
  @Query(() => ItemConnection, {
    nullable: true,
    description: "The items of the partner's company that meet all given conditions. Needs a token.",
  })
  items(
    @CurrentCaller() { companyId }: Caller,
    @Ctx() { admission, db }: RequestContext,
    @Args(() => ItemArgs) args: OrderedPageArgs,
  ) {
    const values = parseFilters(itemFilters, args);
    return ItemConnection.load(
      args,
      (page) => admission.oneListAtATime(() => companyItems.list(db, companyId, values, page)),
      () => admission.oneListAtATime(() => companyItems.count(db, companyId, values)),
    );
  }
}
