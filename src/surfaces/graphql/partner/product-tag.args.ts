import { ArgsType, Field } from 'type-graphql';
import type { Order } from '../../../domain/lists/ordered-list.ts';
import { isBlank, parseSearch, searchDescription } from '../../../domain/lists/search.ts';
import { type CompanyList, PageArgs, scanPrice } from '../types/connection.ts';
import { registerOrder } from '../types/order.ts';

const ProductTagOrder = registerOrder(
  'ProductTagOrder',
  'tags',
  'By Arabic name; a tag without one by its English name.',
);

@ArgsType()
export class ProductTagArgs extends PageArgs {
  @Field(() => ProductTagOrder, { nullable: true, defaultValue: 'ID', description: 'The order of the list.' })
  orderBy!: Order;

  @Field(() => String, { nullable: true, description: searchDescription })
  search?: string | null;
}

export const productTagList: CompanyList<ProductTagArgs> = {
  conditionPrices: ({ search }) => ({ search: isBlank(search) ? 0 : scanPrice }),
  check: productTagFilterOf,
};

/** The filter of the arguments. Throws `invalid_parameter` for an invalid search. */
export function productTagFilterOf({ search }: ProductTagArgs) {
  return { words: parseSearch(search) };
}
