import { Args, ArgsType, Field, FieldResolver, Int, Resolver } from 'type-graphql';
import type { ItemRow } from '../../../domain/partner/items/items.queries.ts';
import {
  hasProductTag,
  productTagsByItem,
  tagCountsByItem,
} from '../../../domain/partner/product-tags/product-tags.queries.ts';
import type { RequestContext } from '../../request/context.ts';
import { PageArgs } from '../types/connection.ts';
import { ResolveDirectly } from '../types/field-rules.ts';
import { Item } from './items.ts';
import { ProductTagConnection } from './product-tags.ts';

@ArgsType()
class ProductTagIdArgs {
  @Field(() => Int, { description: 'Id of the tag.' })
  id!: number;
}

/** The fields of items about their tags. */
@Resolver(() => Item)
export class ItemTagFields {
  @ResolveDirectly()
  @FieldResolver(() => ProductTagConnection, { description: 'The tags of the item, by id.' })
  tags(this: ItemRow, @Args(() => PageArgs) args: PageArgs, { loaders }: RequestContext) {
    const { id } = this;
    return ProductTagConnection.load(
      args,
      ({ after, limit }) => loaders.of(productTagsByItem).load({ id, after, limit }),
      () => loaders.of(tagCountsByItem).load(id),
    );
  }

  @ResolveDirectly()
  @FieldResolver(() => Boolean, { description: 'Whether the item has a tag; false for an unknown tag.' })
  hasProductTag(this: ItemRow, @Args(() => ProductTagIdArgs) args: ProductTagIdArgs, { loaders }: RequestContext) {
    return loaders.of(hasProductTag).load({ itemId: this.id, productTagId: args.id });
  }
}
