import { Arg, Args, ArgsType, type ClassType, Ctx, Field, Int, Query, Resolver, registerEnumType } from 'type-graphql';
import type { CompanyList } from '../../../domain/lists/company-list.ts';
import { type FilterType, isSet, parseFilters, type Reads, requireShort } from '../../../domain/lists/filters.ts';
import type { Caller } from '../../../domain/partner/tokens/tokens.ts';
import type { RequestContext } from '../../request/context.ts';
import { CurrentCaller } from './access.ts';
import { type connectionType, type OrderedPageArgs, PageArgs } from './connection.ts';
import { DateTime } from './date-time.ts';
import { Rules, shownScanCost } from './field-rules.ts';

/** The GraphQL types of filters, except for enums. */
const filterTypes: Record<Exclude<FilterType, 'enum'>, () => object> = {
  boolean: () => Boolean,
  ids: () => [Int],
  search: () => String,
  time: () => DateTime,
};

/** Enums of filters by the names of their arguments. */
type FilterEnums = Record<string, () => object>;

/**
 * The root fields of a company's list: an entry by its id, entries by their ids, and the list with its page, its order and an
 * argument for each filter.
 */
export function companyListResolver(
  list: CompanyList,
  node: ClassType<object>,
  Connection: ReturnType<typeof connectionType>,
  enums: FilterEnums = {},
) {
  const { table, one, many, filters } = list;
  const ListArgs = listArgs(list, `${node.name}Order`, enums);

  @Resolver()
  class CompanyListResolver {
    @Query(() => node, {
      name: node.name.replace(/^./, (letter) => letter.toLowerCase()),
      nullable: true,
      description: `${/^[aeiou]/.test(one) ? 'An' : 'A'} ${one} of the partner's company; null for an unknown id.`,
    })
    entry(
      @CurrentCaller() _caller: Caller,
      @Ctx() { loaders }: RequestContext,
      @Arg('id', () => Int, { description: `Id of the ${one}.` }) id: number,
    ) {
      return loaders.of(list.byId).load(id);
    }

    @Rules<{ ids: number[] }>({
      length: ({ args }) => args.ids.length,
      check: ({ ids }) => requireShort(ids, 'ids'),
    })
    @Query(() => [node], {
      name: `${table}ByIds`,
      nullable: 'itemsAndList',
      description: `The ${many} of the partner's company with these ids, in the order of \`ids\`; null for each unknown id.`,
    })
    entriesByIds(
      @CurrentCaller() _caller: Caller,
      @Ctx() { loaders }: RequestContext,
      @Arg('ids', () => [Int], { description: `Ids of ${many}, at most 100 (BAD_USER_INPUT otherwise).` })
      ids: number[],
    ) {
      // `loadMany` would return an error for each id.
      return Promise.all(ids.map((id) => loaders.of(list.byId).load(id)));
    }

    // `applyRules` adds those that every page has.
    @Rules<OrderedPageArgs>({
      scans: ({ args }) => countScans(list, args),
      check: (args) => parseFilters(filters, args),
    })
    @Query(() => Connection, { name: table, nullable: true, description: list.description })
    entries(
      @CurrentCaller() { companyId }: Caller,
      @Ctx() { db }: RequestContext,
      @Args(() => ListArgs) args: OrderedPageArgs,
    ) {
      const values = parseFilters(filters, args);
      return Connection.load(
        args,
        (page) => list.list(db, companyId, values, page),
        () => list.count(db, companyId, values),
      );
    }
  }
  return CompanyListResolver;
}

/** What the description of a filter says about its cost. */
const costNotes: Record<Reads, string> = {
  all: `Costs ${shownScanCost}.`,
  allByName: `Costs ${shownScanCost} in the order of names.`,
};

/** The arguments of a list. */
function listArgs(list: CompanyList, orderName: string, enums: FilterEnums): ClassType<OrderedPageArgs> {
  const orders = { ID: { description: 'By id.', isScan: undefined }, ...list.orders };
  const values = Object.entries(orders).map(([name, { description, isScan }]) => {
    return [name, { description: isScan ? `${description} ${costNotes.all}` : description }];
  });
  const order = Object.fromEntries(Object.keys(orders).map((name) => [name, name]));
  registerEnumType(order, {
    name: orderName,
    description: `The order of a list of ${list.many}. Names sort in the order of both alphabets, and equal ones by id.`,
    valuesConfig: Object.fromEntries(values),
  });

  @ArgsType()
  class ListArgs extends PageArgs {
    @Field(() => order, { nullable: true, defaultValue: 'ID', description: 'The order of the list.' })
    orderBy!: string;

    @Field(() => Boolean, {
      nullable: true,
      defaultValue: false,
      description: 'Reverses the order.',
    })
    reverse!: boolean;
  }

  for (const [name, { type, description, reads }] of Object.entries(list.filters)) {
    const options = { nullable: true, description: `${description} ${costNotes[reads]}` };
    Field(type === 'enum' ? enums[name] : filterTypes[type], options)(ListArgs.prototype, name);
  }
  return ListArgs;
}

/** How often a list with these arguments reads all rows to find its entries. */
function countScans({ filters, orders }: CompanyList, args: OrderedPageArgs): number {
  const set = Object.entries(filters).filter(([name]) => isSet((args as unknown as Record<string, unknown>)[name]));
  const reads = set.map(([, filter]) => filter.reads);
  // Undefined by id alone.
  const order = orders[args.orderBy ?? 'ID'];
  return reads.filter((each) => each === 'all' || order).length + (order?.isScan ? 1 : 0);
}
