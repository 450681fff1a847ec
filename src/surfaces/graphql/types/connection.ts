import { ArgsType, type ClassType, Field, Int, ObjectType } from 'type-graphql';
import type { OrderedPage, SortKeys } from '../../../domain/lists/keyset.ts';
import { AppError } from '../../../kernel/errors/app-error.ts';
import type { Expectation } from '../../../kernel/errors/catalog.ts';
import type { Selected } from '../../request/cost.ts';
import { costsScan, MethodField, Rules, shownScanCost } from './field-rules.ts';

@ObjectType({ simpleResolvers: true, description: 'Where a page is in its list, to request the next one.' })
class PageInfo {
  @Field(() => Boolean, { description: 'Whether more entries follow this page.' })
  hasNextPage!: boolean;

  @Field(() => Boolean, { description: 'Whether the page has a cursor (`after`), so that others may come before it.' })
  hasPreviousPage!: boolean;

  @Field(() => String, { nullable: true, description: 'Cursor of the first entry; null when the page is empty.' })
  startCursor!: string | null;

  @Field(() => String, { nullable: true, description: 'Cursor of the last entry; null when the page is empty.' })
  endCursor!: string | null;
}

@ArgsType()
export class PageArgs {
  @Field(() => Int, {
    nullable: true,
    defaultValue: 25,
    description: 'Length of the page, 1 to 100 (BAD_USER_INPUT otherwise).',
  })
  first!: number;

  @Field(() => String, {
    nullable: true,
    description: 'Cursor of the entry before the page (BAD_USER_INPUT for an invalid one).',
  })
  after?: string | null;
}

/** The arguments of every list of a company, besides its `orderBy`. */
@ArgsType()
export abstract class ListArgs extends PageArgs {
  @Field(() => Boolean, { nullable: true, defaultValue: false, description: 'Reverses the order.' })
  reverse!: boolean;

  @Field(() => String, {
    nullable: true,
    description:
      'Finds names that contain every word, in any order. Ignores case, accents, styles of quotes and dashes, and Arabic ' +
      'spelling variants (أ/ا, ة/ه, ى/ي). Up to 8 words and 255 characters (BAD_USER_INPUT otherwise). ' +
      costsScan,
  })
  search?: string | null;
}

const maxFirst = 100;

/** In characters; valid cursors are shorter, with names of 255 characters too. */
const maxCursorLength = 1_500;

interface PagedList<Row> {
  /** The nouns for its entries; cursors begin with `singular`. */
  singular: string;
  plural: string;
  /** The name of the list as a root field, if it is one. */
  rootField?: string;
  /** Its orders besides that by id. */
  keys?: SortKeys<Row>;
}

/** Creates the GraphQL type of a paged list. */
export function connectionType<Row extends { id: number }>(
  nodeType: ClassType<object>,
  list: PagedList<Row>,
  { isCounted = true } = {},
) {
  const { name } = nodeType;
  const { singular, plural, rootField } = list;
  @ObjectType(`${name}Edge`, {
    simpleResolvers: true,
    description: `The ${singular} and its cursor in a list of ${plural}.`,
  })
  class Edge {
    @Field(() => String, { description: `Pass it as \`after\` to get the next ${plural}.` })
    cursor!: string;

    @Field(() => nodeType, { description: `The ${singular}.` })
    node!: Row;
  }

  const description =
    `Number of matching ${plural} on all pages. On \`Query.${rootField}\`, it reads the whole list: ` +
    `cost ${shownScanCost} or more.`;
  const Count = isCounted ? MethodField(() => Int, { description }) : () => {};

  // Of every field that returns a page.
  @Rules<PageArgs>({ cost: costOfRows, check: (args) => parsePage(list, args) })
  @ObjectType(`${name}Connection`, { simpleResolvers: true, description: `A page of ${plural}.` })
  class Connection {
    @Rules({ length: lengthOfPage })
    @MethodField(() => [Edge], { description: `The ${plural} with their cursors.` })
    edges(): Edge[] {
      return this.nodes.map((node) => ({ node, cursor: toCursor(list, this.page, node) }));
    }

    @Rules({ length: lengthOfPage })
    @Field(() => [nodeType], { description: `The ${plural} without cursors.` })
    nodes!: Row[];

    hasNextPage!: boolean;
    page!: OrderedPage;
    count!: () => Promise<number> | number;

    @MethodField(() => PageInfo, { description: 'Where this page is in its list.' })
    pageInfo(): PageInfo {
      const { nodes, hasNextPage, page } = this;
      const cursorAt = (index: number) => {
        const row = nodes.at(index);
        return row ? toCursor(list, page, row) : null;
      };
      return { hasNextPage, hasPreviousPage: page.hasCursor, startCursor: cursorAt(0), endCursor: cursorAt(-1) };
    }

    @Rules({ scans: scansOfCount })
    @Count
    totalCount(): Promise<number> | number {
      return this.count();
    }

    /**
     * The fields of a page. Calls `count` if the length of the list is selected. Throws `invalid_parameter` for an invalid
     * length or cursor.
     */
    static async load(
      args: OrderedPageArgs,
      read: (page: OrderedPage) => Promise<Row[]>,
      count?: () => Promise<number> | number,
    ) {
      const { first } = args;
      const page = parsePage(list, args);
      const found = await read(page);
      return { nodes: found.slice(0, first), hasNextPage: found.length > first, page, count };
    }
  }

  return Connection;
}

/** Without a list, the rows of a page are read all the same. */
function costOfRows({ args, names }: Selected<PageArgs>): number {
  return 1 + (names.has('nodes') || names.has('edges') ? 0 : getPageSize(args));
}

function lengthOfPage({ parent }: Selected): number {
  return getPageSize(parent?.args);
}

// Checked later, so it may still be negative.
function getPageSize({ first }: PageArgs): number {
  return Math.max(first, 0);
}

/** Counting a list of the company reads as much as finding its entries, and all of its rows at least. */
function scansOfCount({ parent }: Selected): number {
  return parent?.scans === undefined ? 0 : Math.max(parent.scans, 1);
}

/** The page that the arguments name. Throws `invalid_parameter` for an invalid length or cursor. */
function parsePage<Row>(
  list: PagedList<Row>,
  { first, after, orderBy = 'ID', reverse = false }: OrderedPageArgs,
): OrderedPage {
  if (first < 1 || first > maxFirst) throw invalid('first', 'pageLength');
  // One extra row shows whether another page follows.
  const page = { order: orderBy, isReverse: reverse, limit: first + 1 };
  // Some clients send an empty text for the first page.
  if (after == null || after === '') return { ...page, hasCursor: false, after: 0 };
  const cursor = parseCursor(list, after);
  if (cursor === undefined) throw invalid('after', 'cursor');
  if (cursor.order !== orderBy || cursor.isReverse !== reverse) throw invalid('after', 'cursorOfOrder');
  return { ...page, hasCursor: true, after: cursor.id, ...(orderBy !== 'ID' && { afterKey: cursor.key }) };
}

export interface OrderedPageArgs extends PageArgs {
  /** By id, unless the list has other orders. */
  orderBy?: string;
  reverse?: boolean;
}

// No name has NUL, which PostgreSQL rejects, or the replacement character for bytes that are not UTF-8.
const keyPatterns = { text: /^[^\0\ufffd]+$/, integer: /^\d{1,9}$/ };

// The key and id of a row, so that the next page follows even if the row is renamed or deleted.
function toCursor<Row extends { id: number }>(
  { singular, keys = {} }: PagedList<Row>,
  { order, isReverse }: OrderedPage,
  row: Row,
): string {
  const by = keys[order];
  const parts = by ? [singular, order, row.id, by.get(row)] : [singular, row.id];
  return Buffer.from((isReverse ? '-' : '') + parts.join(':')).toString('base64url');
}

const cursorPattern = /^(-?)(\w+):(?:(\w+):(?=\d+:))?(\d{1,10})(?::(.*))?$/s;

/** The parts of a cursor; undefined for an invalid one. */
function parseCursor<Row>({ singular, keys = {} }: PagedList<Row>, cursor: string) {
  const text = cursor.length > maxCursorLength ? '' : Buffer.from(cursor, 'base64url').toString();
  const [, mark, begin, order = 'ID', digits, key = ''] = cursorPattern.exec(text) ?? [];
  const id = Number(digits);
  const by = Object.hasOwn(keys, order) ? keys[order] : undefined;
  const isKey = by ? keyPatterns[by.type].test(key) : order === 'ID' && text.endsWith(`:${digits}`);
  return begin === singular && id < 2 ** 31 && isKey ? { order, isReverse: mark === '-', id, key } : undefined;
}

function invalid(parameter: string, expected: Expectation): AppError {
  return new AppError('invalid_parameter', { values: { parameter, expected } });
}
