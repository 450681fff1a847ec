import { Args, Field, Int, ObjectType } from 'type-graphql';
import type { WrittenProductTag } from '../../../domain/partner/product-tags/product-tag.service.ts';
import {
  itemIdsByProductTag,
  itemsByProductTag,
  type ProductTagRow,
  productTags,
} from '../../../domain/partner/product-tags/product-tags.ts';
import type { RequestContext } from '../../request/context.ts';
import { LocalizedNameField, TimeField } from '../types/common-fields.ts';
import { companyListResolver } from '../types/company-list.ts';
import { connectionType, PageArgs } from '../types/connection.ts';
import { MethodField, Rules } from '../types/field-rules.ts';
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

  @TimeField(productTags.times, 'When the tag was created; for old tags, when the gateway began to record it.')
  createdAt!: Date;

  @TimeField(productTags.times, 'When its names or items last changed, or when the gateway began to record it.')
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

export const ProductTagConnection = connectionType<ProductTagRow>(ProductTag, productTags);

export const ProductTagResolver = companyListResolver(productTags, ProductTag, ProductTagConnection);
