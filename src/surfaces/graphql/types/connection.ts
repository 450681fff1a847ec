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

  @Field(() => Boolean, { description: 'Whether `after` was given, so that earlier entries may exist.' })
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
    description: 'Page size, 1 to 100 (BAD_USER_INPUT otherwise).',
  })
  first!: number;

  @Field(() => String, {
    nullable: true,
    description: 'Cursor of the last entry of the previous page (BAD_USER_INPUT if it is invalid).',
  })
  after?: string | null;
}

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

/** In characters; cursors with the longest names are shorter. */
const maxCursorLength = 1_500;

interface PagedList<Row> {
  /** Cursors begin with `singular`. */
  singular: string;
  plural: string;
  rootField?: string;
  /** Orders other than by id. */
  keys?: SortKeys<Row>;
}

/** Creates the GraphQL type of a paged list. */
export function createConnectionType<Row extends { id: number }>(
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

  @Rules<PageArgs>({ cost: calculatePageCost, check: (args) => parsePage(list, args) })
  @ObjectType(`${name}Connection`, { simpleResolvers: true, description: `A page of ${plural}.` })
  class Connection {
    @Rules({ length: getPageLength })
    @MethodField(() => [Edge], { description: `The ${plural} with their cursors.` })
    edges(): Edge[] {
      return this.nodes.map((node) => ({ node, cursor: toCursor(list, this.page, node) }));
    }

    @Rules({ length: getPageLength })
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

    @Rules({ scans: countScansOfTotal })
    @Count
    totalCount(): Promise<number> | number {
      return this.count();
    }

    /** `count` is called if `totalCount` is selected. Throws `invalid_parameter` for an invalid length or cursor. */
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

/** A page reads its rows even if none are selected. */
function calculatePageCost({ args, names }: Selected<PageArgs>): number {
  const hasEntries = names.has('nodes') || names.has('edges');
  return hasEntries ? 1 : 1 + getPageSize(args);
}

function getPageLength({ parent }: Selected): number {
  return getPageSize(parent?.args);
}

// Checked later, so it may still be negative.
function getPageSize({ first }: PageArgs): number {
  return Math.max(first, 0);
}

/** Counting a root list reads as much as its conditions do, at least once all rows. */
function countScansOfTotal({ parent }: Selected): number {
  return parent?.scans === undefined ? 0 : Math.max(parent.scans, 1);
}

/** Throws `invalid_parameter` for an invalid length or cursor. */
function parsePage<Row>(
  list: PagedList<Row>,
  { first, after, orderBy = 'ID', reverse = false }: OrderedPageArgs,
): OrderedPage {
  if (first < 1 || first > maxFirst) throw invalid('first', 'pageLength');
  // One extra row shows whether another page follows.
  const page = { order: orderBy, isReverse: reverse, limit: first + 1 };
  // Some clients send an empty string for the first page.
  if (after == null || after === '') return { ...page, hasCursor: false, after: 0 };
  const cursor = parseCursor(list, after);
  if (cursor === undefined) throw invalid('after', 'cursor');
  if (cursor.order !== orderBy || cursor.isReverse !== reverse) throw invalid('after', 'cursorOfOrder');
  return { ...page, hasCursor: true, after: cursor.id, ...(orderBy !== 'ID' && { afterKey: cursor.key }) };
}

export interface OrderedPageArgs extends PageArgs {
  /** Default: by id. */
  orderBy?: string;
  reverse?: boolean;
}

// PostgreSQL rejects NUL; bytes that are not UTF-8 decode to the replacement character.
const keyPatterns = { text: /^[^\0\ufffd]+$/, integer: /^\d{1,9}$/ };

// With the key and id of a row, so that paging continues if the row is renamed or deleted.
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

/** Returns undefined for an invalid cursor. */
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
