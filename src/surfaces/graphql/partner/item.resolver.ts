import { Arg, Args, Ctx, Int, Query, Resolver } from 'type-graphql';
import { companyItems, itemsById } from '../../../domain/partner/items/item.queries.ts';
import type { Caller } from '../../../domain/partner/tokens/token.queries.ts';
import type { RequestContext } from '../../request/context.ts';
import { CurrentCaller } from '../types/access.ts';
import { ItemArgs, itemFilterOf, itemList } from './item.args.ts';
import { Item, ItemConnection } from './item.object.ts';

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

  @ItemConnection.OfCompany(itemList)
  @Query(() => ItemConnection, {
    nullable: true,
    description: "The items of the partner's company that meet all given conditions. Needs a token.",
  })
  items(
    @CurrentCaller() { companyId }: Caller,
    @Ctx() { admission, db }: RequestContext,
    @Args(() => ItemArgs) args: ItemArgs,
  ) {
    const filter = itemFilterOf(args);
    return ItemConnection.load(
      args,
      (page) => admission.readList(() => companyItems.list(db, companyId, filter, page)),
      () => admission.readList(() => companyItems.count(db, companyId, filter)),
    );
  }
}
