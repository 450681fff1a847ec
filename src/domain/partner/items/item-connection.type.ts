import { ArgsType, Field, Int, ObjectType } from 'type-graphql';
import { AppError } from '../../../kernel/errors/app-error.ts';
import type { ItemRow } from './item.queries.ts';
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

/** A page of items in a statement: those behind the id `after`, and one more than the page has, if there is one. */
export interface ItemPage {
  after: number;
  limit: number;
}

const maxFirst = 100;

/** Throws `invalid_parameter` for a page length out of 1 to 100 or an invalid cursor. */
export function readPage({ first, after }: PageArgs): ItemPage {
  if (first < 1 || first > maxFirst) {
    throw new AppError('invalid_parameter', { values: { parameter: 'first', expected: 'pageLength' } });
  }
  return { after: decodeCursor(after), limit: first + 1 };
}

/** The page that the rows of a statement make. */
export function connectionOf(rows: ItemRow[], { first }: PageArgs) {
  const nodes = rows.slice(0, first);
  const last = nodes.at(-1);
  const endCursor = last === undefined ? null : encodeCursor(last.id);
  return { nodes, pageInfo: { hasNextPage: rows.length > first, endCursor } };
}

function encodeCursor(id: number): string {
  return Buffer.from(`item:${id}`).toString('base64url');
}

// Without a cursor 0, which is before every item.
function decodeCursor(cursor: string | null | undefined): number {
  if (cursor === null || cursor === undefined) return 0;
  const id = /^item:(\d{1,10})$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1];
  if (id === undefined || Number(id) > 2 ** 31 - 1) {
    throw new AppError('invalid_parameter', { values: { parameter: 'after', expected: 'cursor' } });
  }
  return Number(id);
}
