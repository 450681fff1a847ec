import { Arg, Args, ArgsType, Ctx, Field, Int, ObjectType, Query, Resolver, registerEnumType } from 'type-graphql';
import { checkIdCount, isSet, parseSearch } from '../../../domain/lists/filters.ts';
import type { WrittenProductTag } from '../../../domain/partner/product-tags/product-tag.service.ts';
import {
  countProductTags,
  itemIdsByProductTag,
  itemsByProductTag,
  listProductTags,
  type ProductTagFilter,
  type ProductTagRow,
  productTagKeys,
  productTagsById,
  productTagTimes,
} from '../../../domain/partner/product-tags/product-tags.queries.ts';
import type { Caller } from '../../../domain/partner/tokens/tokens.ts';
import type { RequestContext } from '../../request/context.ts';
import { CurrentCaller } from '../types/access.ts';
import { LocalizedNameField, TimeField } from '../types/common-fields.ts';
import { createConnectionType, ListArgs, PageArgs } from '../types/connection.ts';
import { DateTime } from '../types/date-time.ts';
import { costsScan, MethodField, Rules } from '../types/field-rules.ts';
import { ItemConnection } from './items.ts';

@ObjectType({ simpleResolvers: true, description: "A free-form label that groups products of the partner's company." })
export class ProductTag implements ProductTagRow {
  @Field(() => Int, { description: 'Id of the tag.' })
  id!: number;

  @Field(() => String, { description: 'English name, 3 to 50 characters.' })
  nameEn!: string;

  @Field(() => String, { nullable: true, description: 'Arabic name, 3 to 50 characters; null when unset.' })
  nameAr!: string | null;

  @Field(() => String, {
    description:
      "Changes whenever the tag's names or items change; pass it as `ifMatch`. Items in the same response may be newer.",
  })
  version!: string;

  @Field(() => Int, { description: 'Number of items with the tag, up to 10,000.' })
  itemCount!: number;

  @TimeField(productTagTimes, 'When the tag was created. Older tags have the time when the gateway began to record it.')
  createdAt!: Date;

  @TimeField(productTagTimes, 'When its names or items last changed, or when the gateway began to record changes.')
  updatedAt!: Date;

  @LocalizedNameField({
    nullable: true,
    description:
      'Name in `locale` or the language of the request. Null in Arabic if the tag has no Arabic name: show `nameEn`.',
  })
  name!: string | null;

  @Rules({ cost: 5_000 })
  @MethodField(() => [Int], {
    description:
      'Ids of all items with the tag, ascending, up to 10,000. Costs 5,000; prefer `items`, which has pages.',
  })
  itemIds(this: WrittenProductTag, _args: object, { loaders }: RequestContext) {
    return this.itemIds ?? loaders.of(itemIdsByProductTag).load(this.id);
  }

  @MethodField(() => ItemConnection, { description: 'The items of the tag, by id.' })
  items(@Args(() => PageArgs) args: PageArgs, { loaders }: RequestContext) {
    const { id, itemCount } = this;
    return ItemConnection.load(
      args,
      ({ after, limit }) => loaders.of(itemsByProductTag).load({ id, after, limit }),
      () => itemCount,
    );
  }
}

export const ProductTagConnection = createConnectionType<ProductTagRow>(ProductTag, {
  singular: 'tag',
  plural: 'tags',
  rootField: 'productTags',
  keys: productTagKeys,
});

const ProductTagOrder = { ID: 'ID', NAME_EN: 'NAME_EN', NAME_AR: 'NAME_AR', ITEM_COUNT: 'ITEM_COUNT' };

registerEnumType(ProductTagOrder, {
  name: 'ProductTagOrder',
  description: 'Sort order of tags. Names sort alphabetically in both languages, and equal names by id.',
  valuesConfig: {
    ID: { description: 'By id.' },
    NAME_EN: { description: 'By English name.' },
    NAME_AR: { description: 'By Arabic name, or by English name for tags without an Arabic one.' },
    ITEM_COUNT: {
      description: `By number of items, fewest first. Tags may move between pages while items are tagged. ${costsScan}`,
    },
  },
});

@ArgsType()
class ProductTagsArgs extends ListArgs {
  @Field(() => ProductTagOrder, { nullable: true, defaultValue: 'ID', description: 'Sort order.' })
  orderBy!: string;

  @Field(() => DateTime, {
    nullable: true,
    description: `Only tags created, renamed or changed in items after this time, or in the same millisecond. ${costsScan}`,
  })
  updatedAfter?: Date | null;
}

/** Throws `invalid_parameter` for arguments beyond their limits. */
function toFilter({ search, ...args }: ProductTagsArgs): ProductTagFilter {
  return { ...args, search: parseSearch(search) };
}

function countScans({ search, updatedAfter, orderBy }: ProductTagsArgs): number {
  return [search, updatedAfter].filter(isSet).length + (orderBy === 'ITEM_COUNT' ? 1 : 0);
}

@Resolver()
export class ProductTagResolver {
  @Query(() => ProductTag, { nullable: true, description: "A tag of the partner's company; null for an unknown id." })
  productTag(
    @CurrentCaller() _caller: Caller,
    @Ctx() { loaders }: RequestContext,
    @Arg('id', () => Int, { description: 'Id of the tag.' }) id: number,
  ) {
    return loaders.of(productTagsById).load(id);
  }

  @Rules<{ ids: number[] }>({ length: ({ args }) => args.ids.length, check: ({ ids }) => checkIdCount(ids, 'ids') })
  @Query(() => [ProductTag], {
    nullable: 'itemsAndList',
    description: "Tags of the partner's company by id, in the order of `ids`; null for each unknown id.",
  })
  productTagsByIds(
    @CurrentCaller() _caller: Caller,
    @Ctx() { loaders }: RequestContext,
    @Arg('ids', () => [Int], {
      description: 'Up to 100 ids (BAD_USER_INPUT otherwise). A repeated id counts and returns its tag each time.',
    })
    ids: number[],
  ) {
    // `loadMany` would return an error for each id.
    return Promise.all(ids.map((id) => loaders.of(productTagsById).load(id)));
  }

  @Rules<ProductTagsArgs>({ scans: ({ args }) => countScans(args), check: toFilter })
  @Query(() => ProductTagConnection, {
    nullable: true,
    description: "Tags of the partner's company that match all arguments, page by page, including tags without items.",
  })
  productTags(
    @CurrentCaller() { companyId }: Caller,
    @Ctx() { db }: RequestContext,
    @Args(() => ProductTagsArgs) args: ProductTagsArgs,
  ) {
    const filter = toFilter(args);
    return ProductTagConnection.load(
      args,
      (page) => listProductTags(db, companyId, filter, page),
      () => countProductTags(db, companyId, filter),
    );
  }
}
