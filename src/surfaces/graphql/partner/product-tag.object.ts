import { Field, Int, ObjectType } from 'type-graphql';
import type { Loaders } from '../../../domain/lists/loaders.ts';
import type { OrderedPage } from '../../../domain/lists/ordered-list.ts';
import {
  type ProductTagRow,
  productTagsById,
  productTagTimes,
} from '../../../domain/partner/product-tags/product-tag.queries.ts';
import { connectionType, type OrderedPageArgs } from '../types/connection.ts';
import { LocalizedNameField } from '../types/named-types.ts';
import { TimeField } from '../types/time-field.ts';

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
      "Changes whenever the tag's names or items change, and is the same throughout a query. Pass it as `ifMatch`.",
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
    description: 'Name in `locale`, or in the language of the request. Null when that is Arabic and `nameAr` is unset.',
  })
  name!: string | null;
}

export const ProductTagConnection = connectionType<ProductTagRow>(() => ProductTag, 'ProductTag', {
  one: 'tag',
  many: 'tags',
  isCounted: true,
});

export async function loadProductTag(loaders: Loaders, id: number): Promise<ProductTagRow | undefined> {
  const row = await loaders.of(productTagsById).load(id);
  return row && loaders.rememberRow(row);
}

export function loadProductTags(
  loaders: Loaders,
  args: OrderedPageArgs,
  list: (page: OrderedPage) => Promise<ProductTagRow[]>,
  count: () => Promise<number>,
) {
  return ProductTagConnection.load(args, list, count, loaders.rememberRow);
}
