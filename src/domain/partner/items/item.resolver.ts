import { Arg, Ctx, FieldResolver, Int, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../../request/context.ts';
import { Viewer } from '../viewer/viewer.type.ts';
import { itemsById, listItems } from './item.queries.ts';
import { Item, ItemType } from './item.type.ts';
import { ItemConnection } from './item-connection.type.ts';
import { decodeCursor, encodeCursor, ensurePageLength } from './item-page.ts';

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
    @Arg('first', () => Int, { defaultValue: 25, description: 'How many, 1 to 100 (BAD_USER_INPUT for others).' })
    first: number,
    @Arg('after', () => String, { nullable: true, description: 'Cursor of the item to go on behind.' })
    after?: string | null,
    @Arg('itemType', () => ItemType, { nullable: true, description: 'Only items of this type.' })
    itemType?: ItemType | null,
  ) {
    ensurePageLength(first);
    const rows = await listItems(db, {
      companyId: caller.companyId,
      after: decodeCursor(after),
      limit: first + 1,
      itemType: itemType ?? null,
    });
    const nodes = rows.slice(0, first);
    const last = nodes.at(-1);
    const pageInfo = { hasNextPage: rows.length > first, endCursor: last === undefined ? null : encodeCursor(last.id) };
    return { nodes, pageInfo };
  }
}
