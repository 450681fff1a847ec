import { ArgsType, Field } from 'type-graphql';
import { PageArgs } from '../../request/connection.ts';
import { type Order, registerOrder } from '../../request/order.ts';
import { searchDescription } from '../../request/search.ts';

const ProductTagOrder = registerOrder(
  'ProductTagOrder',
  'tags',
  'By Arabic name; a tag without one by its English name.',
);

@ArgsType()
export class ProductTagArgs extends PageArgs {
  @Field(() => ProductTagOrder, { defaultValue: 'ID', description: 'The order of the list.' })
  orderBy!: Order;

  @Field(() => String, { nullable: true, description: searchDescription })
  search?: string | null;
}
