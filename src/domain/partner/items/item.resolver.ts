import { Arg, Args, Ctx, FieldResolver, Int, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../../request/context.ts';
import { Viewer } from '../viewer/viewer.type.ts';
import { itemsById, listItems } from './item.queries.ts';
import { Item, ItemType } from './item.type.ts';
import { connectionOf, ItemConnection, PageArgs, readPage } from './item-connection.type.ts';

@Resolver(() => Viewer)
export class ViewerItemResolver {
  @FieldResolver(() => Item, {
    nullable: true,
    description: 'An item of the company; null when it has none of that id.',
  })
  async item(
    @Root() { caller }: Viewer,
    @Ctx() { loaders }: RequestContext,
    @Arg('id', () => Int, { description: 'Id of the item.' }) id: number,
  ) {
    return loaders.of(itemsById).load({ companyId: caller.companyId, id });
  }

  @FieldResolver(() => ItemConnection, { description: 'The items of the company, by id.' })
  async items(
    @Root() { caller }: Viewer,
    @Ctx() { db }: RequestContext,
    @Args(() => PageArgs) args: PageArgs,
    @Arg('itemType', () => ItemType, { nullable: true, description: 'Only items of this type.' })
    itemType?: ItemType | null,
  ) {
    const page = readPage(args);
    const { companyId } = caller;
    return connectionOf(await listItems(db, { companyId, ...page, itemType: itemType ?? null }), page);
  }
}
