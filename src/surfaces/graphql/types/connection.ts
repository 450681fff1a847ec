import { ArgsType, type ClassType, Extensions, Field, Int, ObjectType } from 'type-graphql';
import type { Order, OrderedPage } from '../../../domain/lists/ordered-list.ts';
import { AppError } from '../../../kernel/errors/app-error.ts';
import type { Expectation } from '../../../kernel/errors/catalog.ts';
import { type Children, type FieldRules, Price, sum, total } from './field-rules.ts';

@ObjectType({ simpleResolvers: true, description: 'The end of a page, to request the next one.' })
class PageInfo {
  @Field(() => Boolean, { description: 'Whether more entries follow this page.' })
  hasNextPage!: boolean;

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

const maxFirst = 100;

/** The cost of reading all rows of a list, to find entries or to count them. */
export const scanPrice = 2_500;

/** The prices of the conditions of a list: the type names all of its arguments, so that none is forgotten. */
type ConditionPrices<Args> = Record<Exclude<keyof Args, keyof OrderedPageArgs>, number>;

/** A list of all rows of a company. */
export interface CompanyList<Args extends OrderedPageArgs> {
  conditionPrices: (args: Args) => ConditionPrices<Args>;
  /** Whether the list reads only the rows that its arguments name. Its conditions and `totalCount` are then free. */
  isShort?: (args: Args) => boolean;
  /** Throws `invalid_parameter` for invalid conditions. */
  check: (args: Args) => unknown;
}

/** In characters; valid cursors are shorter, with names of 255 characters too. */
const maxCursorLength = 1_500;

/** The noun for an entry of each connection type, which its cursors begin with. */
const nouns = new Map<string, string>();

/** A list in another order than that of ids has rows with names. */
interface ListedRow {
  id: number;
  nameEn: string;
  nameAr: string | null;
}

/** Creates the GraphQL type of a paged list. `one` and `many` are the nouns for its entries. */
export function connectionType<Row extends ListedRow>(
  nodeType: () => ClassType<object>,
  name: string,
  { one, many, isCounted = false }: { one: string; many: string; isCounted?: boolean },
) {
  const typeName = `${name}Connection`;
  nouns.set(typeName, one);

  @ObjectType(`${name}Edge`, { simpleResolvers: true, description: `The ${one} and its cursor in a list of ${many}.` })
  class Edge {
    @Field(() => String, { description: `Pass it as \`after\` to get the next ${many}.` })
    cursor!: string;

    @Field(nodeType, { description: `The ${one}.` })
    node!: Row;
  }

  const description =
    `Number of all ${many} of the list, on other pages too. If the list is that of the company, costs as much as its ` +
    'conditions, 2,500 at least.';
  const Count: MethodDecorator = isCounted ? Field(() => Int, { description }) : () => {};

  // Of every field that returns a page.
  const rules: FieldRules<PageArgs> = { price: pagePrice, check: (args) => parsePage(typeName, args) };

  @Extensions({ ...rules })
  @ObjectType(typeName, { simpleResolvers: true, description: `A page of ${many}.` })
  class Connection {
    @EntryPrice()
    @Field(() => [Edge], { description: `The ${many} with their cursors.` })
    edges(): Edge[] {
      return this.rows.map((row, index) => ({
        node: this.nodes[index] as Row,
        cursor: cursorOf(one, this.order, row),
      }));
    }

    @EntryPrice()
    @Field(() => [nodeType()], { description: `The ${many} without cursors.` })
    nodes!: Row[];

    /** The rows that the list read, for its cursors. */
    rows!: Row[];
    hasNextPage!: boolean;
    order!: Order;
    count!: () => Promise<number> | number;

    @Field(() => PageInfo, { description: 'The end of this page.' })
    pageInfo(): PageInfo {
      const last = this.rows.at(-1);
      return { hasNextPage: this.hasNextPage, endCursor: last ? cursorOf(one, this.order, last) : null };
    }

    @Count
    totalCount(): Promise<number> | number {
      return this.count();
    }

    /** Decorates a field that returns a list of all rows of a company. */
    static OfCompany<Args extends OrderedPageArgs>({ conditionPrices, isShort, check }: CompanyList<Args>) {
      const rules: FieldRules<Args> = {
        scan(args, { totalCount = [] }) {
          if (isShort?.(args)) return 0;
          const conditions = sum(Object.values(conditionPrices(args)));
          return conditions + totalCount.length * Math.max(conditions, scanPrice);
        },
        check(args) {
          parsePage(typeName, args);
          check(args);
        },
      };
      return Extensions({ ...rules });
    }

    /**
     * Shows `nodeOf` of each row; calls `count` if the length of the list is selected. Throws `invalid_parameter` for an
     * invalid length or cursor.
     */
    static async load(
      args: OrderedPageArgs,
      list: (page: OrderedPage) => Promise<Row[]>,
      count?: () => Promise<number> | number,
      nodeOf?: (row: Row) => Row,
    ) {
      const { first } = args;
      const page = parsePage(typeName, args);
      const read = await list(page);
      const rows = read.slice(0, first);
      const nodes = nodeOf ? rows.map(nodeOf) : rows;
      return { rows, nodes, hasNextPage: read.length > first, order: page.order, count };
    }
  }

  return Connection;
}

/** A page has `first` entries in each of its lists. */
function pagePrice({ first }: PageArgs, { nodes = [], edges = [], ...others }: Children): number {
  const lists = [...nodes, ...edges].map((entry) => 1 + first * entry);
  return 1 + sum(lists) + total(others);
}

/** Declares a list of a page: its price is that of one entry, because only the field of the page knows their number. */
function EntryPrice() {
  return Price((_args, children) => total(children));
}

/** The page of a connection type that the arguments name. Throws `invalid_parameter` for an invalid length or cursor. */
function parsePage(typeName: string, { first, after, orderBy = 'ID' }: OrderedPageArgs): OrderedPage {
  if (first < 1 || first > maxFirst) throw invalid('first', 'pageLength');
  // One extra row shows whether another page follows.
  return { ...parseCursor(nouns.get(typeName) ?? '', orderBy, after), order: orderBy, limit: first + 1 };
}

export interface OrderedPageArgs extends PageArgs {
  /** By id, unless the list has other orders. */
  orderBy?: Order;
}

// The name and id of a row, so that the next page follows even if the row is renamed or deleted.
function cursorOf(noun: string, order: Order, { id, nameEn, nameAr }: ListedRow): string {
  const name = order === 'NAME_AR' ? (nameAr ?? nameEn) : nameEn;
  const parts = order === 'ID' ? [noun, id] : [noun, order, id, name];
  return Buffer.from(parts.join(':')).toString('base64url');
}

// Without a cursor, the row before all others: an empty name and 0. Clients send an empty text for the first page.
function parseCursor(noun: string, order: Order, cursor: string | null | undefined) {
  if (cursor == null || cursor === '') return { after: 0, afterName: '' };
  const text = cursor.length > maxCursorLength ? '' : Buffer.from(cursor, 'base64url').toString();
  // No name has NUL, which PostgreSQL rejects, or the replacement character for bytes that are not UTF-8.
  const pattern = order === 'ID' ? `^${noun}:(\\d{1,10})()$` : `^${noun}:${order}:(\\d{1,10}):([^\\0\\ufffd]+)$`;
  const [, id, afterName = ''] = new RegExp(pattern).exec(text) ?? [];
  const after = Number(id);
  if (Number.isNaN(after) || after >= 2 ** 31) throw invalid('after', 'cursor');
  return { after, afterName };
}

function invalid(parameter: string, expected: Expectation): AppError {
  return new AppError('invalid_parameter', { values: { parameter, expected } });
}
