import { ArgsType, type ClassType, Field, Int, ObjectType } from 'type-graphql';
import { AppError } from '../../kernel/errors/app-error.ts';
import type { Expectation } from '../../kernel/errors/catalog.ts';
import type { Page } from './batches.ts';

@ObjectType({ simpleResolvers: true, description: 'The end of a page, to request the next one.' })
class PageInfo {
  @Field(() => Boolean, { description: 'Whether more entries follow this page.' })
  hasNextPage!: boolean;

  @Field(() => String, { nullable: true, description: 'Cursor of the last entry; null when the page is empty.' })
  endCursor!: string | null;
}

@ArgsType()
export class PageArgs {
  @Field(() => Int, { defaultValue: 25, description: 'Length of the page, 1 to 100 (BAD_USER_INPUT otherwise).' })
  first!: number;

  @Field(() => String, {
    nullable: true,
    description: 'Cursor of the entry before the page (BAD_USER_INPUT for an invalid one).',
  })
  after?: string | null;
}

/** The longest page. */
export const maxFirst = 100;

/** In characters; valid cursors are shorter. */
const maxCursorLength = 64;

/** The cursors of each connection type, decoded. */
const cursorPatterns = new Map<string, RegExp>();

/** Creates the GraphQL type of a paged list in the order of ids. `one` and `many` are the nouns for its entries. */
export function connectionType<Row extends { id: number }>(
  nodeType: () => ClassType<object>,
  name: string,
  { one, many }: { one: string; many: string },
) {
  const cursorOf = ({ id }: Row) => Buffer.from(`${one}:${id}`).toString('base64url');
  const typeName = `${name}Connection`;
  cursorPatterns.set(typeName, new RegExp(`^${one}:(\\d{1,10})$`));

  @ObjectType(`${name}Edge`, { simpleResolvers: true, description: `The ${one} and its cursor in a list of ${many}.` })
  class Edge {
    @Field(() => String, { description: `Pass it as \`after\` to get the next ${many}.` })
    cursor!: string;

    @Field(nodeType, { description: `The ${one}.` })
    node!: Row;
  }

  @ObjectType(typeName, { simpleResolvers: true, description: `A page of ${many}.` })
  class Connection {
    @Field(() => [Edge], { description: `The ${many} with their cursors.` })
    edges(): Edge[] {
      return this.rows.map((row, index) => ({ node: this.nodes[index] as Row, cursor: cursorOf(row) }));
    }

    @Field(() => [nodeType()], { description: `The ${many} without cursors.` })
    nodes!: Row[];

    /** The rows that the list read, for its cursors. */
    rows!: Row[];
    hasNextPage!: boolean;

    @Field(() => PageInfo, { description: 'The end of this page.' })
    pageInfo(): PageInfo {
      const last = this.rows.at(-1);
      return { hasNextPage: this.hasNextPage, endCursor: last ? cursorOf(last) : null };
    }

    /** Shows `nodeOf` of each row. Throws `invalid_parameter` for an invalid length or cursor. */
    static async load(args: PageArgs, list: (page: Page) => Promise<Row[]>, nodeOf?: (row: Row) => Row) {
      const { first } = args;
      const read = await list(parsePage(typeName, args));
      const rows = read.slice(0, first);
      return { rows, nodes: nodeOf ? rows.map(nodeOf) : rows, hasNextPage: read.length > first };
    }
  }

  return Connection;
}

/** The page of a connection type that the arguments name. Throws `invalid_parameter` for an invalid length or cursor. */
export function parsePage(typeName: string, { first, after }: PageArgs): Page {
  if (first < 1 || first > maxFirst) throw invalid('first', 'pageLength');
  // One extra row shows whether another page follows.
  return { after: idOf(typeName, after), limit: first + 1 };
}

// Without a cursor, 0 is below every id.
function idOf(typeName: string, cursor: string | null | undefined): number {
  if (cursor == null) return 0;
  const text = cursor.length > maxCursorLength ? '' : Buffer.from(cursor, 'base64url').toString();
  const id = Number(cursorPatterns.get(typeName)?.exec(text)?.[1]);
  if (Number.isNaN(id) || id >= 2 ** 31) throw invalid('after', 'cursor');
  return id;
}

function invalid(parameter: string, expected: Expectation): AppError {
  return new AppError('invalid_parameter', { values: { parameter, expected } });
}
