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
import { connectionType, ListArgs, PageArgs } from '../types/connection.ts';
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
      "Changes whenever the tag's names or items change. Pass it as `ifMatch`. The items of a tag are read after it.",
  })
  version!: string;

  @Field(() => Int, { description: 'Number of its items, up to 10,000.' })
  itemCount!: number;

  @TimeField(productTagTimes, 'When the tag was created; for old tags, when the gateway began to record it.')
  createdAt!: Date;

  @TimeField(productTagTimes, 'When its names or items last changed, or when the gateway began to record it.')
  updatedAt!: Date;

  @LocalizedNameField({
    nullable: true,
    description:
      'Name in `locale` or the language of the request. Null in Arabic if the tag has no Arabic name: show `nameEn`.',
  })
  name!: string | null;

  @Rules({ cost: 5_000 })
  @MethodField(() => [Int], {
    description: 'Ids of all items of the tag, ascending, up to 10,000. Costs 5,000; prefer `items`, which has pages.',
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

export const ProductTagConnection = connectionType<ProductTagRow>(ProductTag, {
  singular: 'tag',
  plural: 'tags',
  rootField: 'productTags',
  keys: productTagKeys,
});

const ProductTagOrder = { ID: 'ID', NAME_EN: 'NAME_EN', NAME_AR: 'NAME_AR', ITEM_COUNT: 'ITEM_COUNT' };

registerEnumType(ProductTagOrder, {
  name: 'ProductTagOrder',
  description: 'The order of a list of tags. Names sort in the order of both alphabets, and equal ones by id.',
  valuesConfig: {
    ID: { description: 'By id.' },
    NAME_EN: { description: 'By English name.' },
    NAME_AR: { description: 'By Arabic name; a tag without one by its English name.' },
    ITEM_COUNT: {
      description: `By number of items, the fewest first. Pages may move while numbers change. ${costsScan}`,
    },
  },
});

@ArgsType()
class ProductTagsArgs extends ListArgs {
  @Field(() => ProductTagOrder, { nullable: true, defaultValue: 'ID', description: 'The order of the list.' })
  orderBy!: string;

  @Field(() => DateTime, {
    nullable: true,
    description: `Only tags created, or whose names or items changed, after this time. Finds tags of the same millisecond again, because responses have no microseconds. ${costsScan}`,
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
    description: "The tags of the partner's company with these ids, in the order of `ids`; null for each unknown id.",
  })
  productTagsByIds(
    @CurrentCaller() _caller: Caller,
    @Ctx() { loaders }: RequestContext,
    @Arg('ids', () => [Int], {
      description:
        'Ids of tags, at most 100 (BAD_USER_INPUT otherwise). A repeated id counts each time, and its tag is returned ' +
        'each time.',
    })
    ids: number[],
  ) {
    // `loadMany` would return an error for each id.
    return Promise.all(ids.map((id) => loaders.of(productTagsById).load(id)));
  }

  @Rules<ProductTagsArgs>({ scans: ({ args }) => countScans(args), check: toFilter })
  @Query(() => ProductTagConnection, {
    nullable: true,
    description: "The tags of the partner's company that meet all given conditions, also tags without items.",
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
