import { Arg, Args, Ctx, Field, Int, ObjectType, Query, Resolver } from 'type-graphql';
import { CurrentCaller } from '../../request/access.ts';
import { PageArgs } from '../../request/connection.ts';
import type { RequestContext } from '../../request/context.ts';
import { companiesById } from '../companies/company.queries.ts';
import { Company } from '../companies/company.resolver.ts';
import { ItemArgs, itemFilterOf } from '../items/item.args.ts';
import { itemsById, listItems } from '../items/item.queries.ts';
import { Item, ItemConnection } from '../items/item.resolver.ts';
import { partnersById } from '../partners/partner.queries.ts';
import { ProductTag, ProductTagConnection } from '../product-tags/product-tag.object.ts';
import { listProductTags, productTagsById } from '../product-tags/product-tag.queries.ts';
import type { Caller } from '../tokens/token.queries.ts';

@ObjectType({ simpleResolvers: true, description: 'A partner. Tokens are issued to partners.' })
class Partner {
  @Field(() => Int, { description: 'Id of the partner.' })
  id!: number;

  @Field(() => String, { description: 'Name of the partner, the same in every language.' })
  name!: string;
}

@ObjectType({
  simpleResolvers: true,
  description: 'The data of the calling partner: its own company, items and tags.',
})
class Viewer {
  caller!: Caller;

  @Field(() => Partner, { description: 'The partner that the token was issued to.' })
  partner(@Ctx() { loaders }: RequestContext) {
    return loaders.of(partnersById).load(this.caller.partnerId);
  }

  @Field(() => Company, { description: "The partner's default POS company, which owns the items and tags." })
  company(@Ctx() { loaders }: RequestContext) {
    return loaders.of(companiesById).load(this.caller.companyId);
  }

  @Field(() => Item, { nullable: true, description: 'An item of the company; null for an unknown id.' })
  item(@Ctx() { loaders }: RequestContext, @Arg('id', () => Int, { description: 'Id of the item.' }) id: number) {
    return loaders.of(itemsById).load(id);
  }

  @Field(() => ItemConnection, { description: 'The items of the company, by id.' })
  items(@Ctx() { db }: RequestContext, @Args(() => ItemArgs) args: ItemArgs) {
    const filter = itemFilterOf(args);
    const { companyId } = this.caller;
    return ItemConnection.load(args, (page) => listItems(db, { companyId, ...page, ...filter }));
  }

  @Field(() => ProductTag, { nullable: true, description: 'A tag of the company; null for an unknown id.' })
  productTag(@Ctx() { loaders }: RequestContext, @Arg('id', () => Int, { description: 'Id of the tag.' }) id: number) {
    return loaders.of(productTagsById).load(id);
  }

  @Field(() => ProductTagConnection, { description: 'All tags of the company, by id, including tags without items.' })
  productTags(@Ctx() { db }: RequestContext, @Args(() => PageArgs) args: PageArgs) {
    const { companyId } = this.caller;
    return ProductTagConnection.load(args, (page) => listProductTags(db, { companyId, ...page }));
  }
}

@Resolver()
export class ViewerResolver {
  @Query(() => Viewer, { description: 'The calling partner. Needs a token (UNAUTHENTICATED without a live one).' })
  viewer(@CurrentCaller() caller: Caller): Pick<Viewer, 'caller'> {
    return { caller };
  }
}
