import { Field, ObjectType } from 'type-graphql';
import type { ItemRow } from './item.queries.ts';
import { Item } from './item.type.ts';
import { encodeCursor } from './item-page.ts';

@ObjectType({ simpleResolvers: true, description: 'A page of items.' })
export class ItemConnection {
  @Field(() => [ItemEdge], { description: 'The items with their cursors.' })
  edges(): ItemEdge[] {
    return this.nodes.map((node) => ({ node, cursor: encodeCursor(node.id) }));
  }

  @Field(() => [Item], { description: 'The items alone.' })
  nodes!: ItemRow[];

  @Field(() => PageInfo, { description: 'Where this page ends.' })
  pageInfo!: PageInfo;
}

@ObjectType({ simpleResolvers: true, description: 'An item and its place in the list.' })
export class ItemEdge {
  @Field(() => String, { description: 'Pass it as `after` to go on behind this item.' })
  cursor!: string;

  @Field(() => Item, { description: 'The item.' })
  node!: ItemRow;
}

@ObjectType({ simpleResolvers: true, description: 'Where a page ends.' })
export class PageInfo {
  @Field(() => Boolean, { description: 'Whether there is more after this page.' })
  hasNextPage!: boolean;

  @Field(() => String, { nullable: true, description: 'Cursor of the last item; null when the page is empty.' })
  endCursor!: string | null;
}
