import { ArgsType, Field, Int, ObjectType } from 'type-graphql';
import { AppError } from '../../../kernel/errors/app-error.ts';
import type { Expectation } from '../../../kernel/errors/catalog.ts';
import type { ItemPage, ItemRow } from './item.queries.ts';
import { Item } from './item.type.ts';

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
  @Field(() => String, { description: 'Pass it as `after` for the items that follow.' })
  cursor!: string;

  @Field(() => Item, { description: 'The item.' })
  node!: ItemRow;
}

@ObjectType({ simpleResolvers: true, description: 'Where a page ends.' })
export class PageInfo {
  @Field(() => Boolean, { description: 'Whether more items follow this page.' })
  hasNextPage!: boolean;

  @Field(() => String, { nullable: true, description: 'Cursor of the last item; null when the page is empty.' })
  endCursor!: string | null;
}

/** The arguments of a page. */
@ArgsType()
export class PageArgs {
  @Field(() => Int, { defaultValue: 25, description: 'Length of the page, 1 to 100 (BAD_USER_INPUT for others).' })
  first!: number;

  @Field(() => String, { nullable: true, description: 'Cursor of the item before the page.' })
  after?: string | null;
}

const maxFirst = 100;

/** Throws `invalid_parameter` for a page length out of 1 to 100 or an invalid cursor. */
export function readPage({ first, after }: PageArgs): ItemPage {
  if (first < 1 || first > maxFirst) throw invalid('first', 'pageLength');
  // Without a cursor 0, which is before every item.
  const id = Number(after == null ? 0 : /^item:(\d{1,10})$/.exec(Buffer.from(after, 'base64url').toString())?.[1]);
  if (Number.isNaN(id) || id >= 2 ** 31) throw invalid('after', 'cursor');
  return { after: id, limit: first + 1 };
}

function invalid(parameter: string, expected: Expectation): AppError {
  return new AppError('invalid_parameter', { values: { parameter, expected } });
}

/** The page that the rows of a statement make. */
export function connectionOf(rows: ItemRow[], { first }: PageArgs) {
  const nodes = rows.slice(0, first);
  const last = nodes.at(-1);
  return { nodes, pageInfo: { hasNextPage: rows.length > first, endCursor: last ? encodeCursor(last.id) : null } };
}

function encodeCursor(id: number): string {
  return Buffer.from(`item:${id}`).toString('base64url');
}
