import { ArgsType, Field, registerEnumType } from 'type-graphql';
import { PageArgs } from '../../request/connection.ts';
import type { Order } from '../../request/ordered-list.ts';
import { searchDescription } from '../../request/search.ts';

const ProductTagOrder = { ID: 'ID', NAME_EN: 'NAME_EN', NAME_AR: 'NAME_AR' };

registerEnumType(ProductTagOrder, {
  name: 'ProductTagOrder',
  description: 'The order of a list of tags. Names sort in the order of both alphabets, and equal ones by id.',
  valuesConfig: {
    ID: { description: 'By id.' },
    NAME_EN: { description: 'By English name.' },
    NAME_AR: { description: 'By Arabic name; a tag without one by its English name.' },
  },
});

@ArgsType()
export class ProductTagArgs extends PageArgs {
  @Field(() => ProductTagOrder, { defaultValue: 'ID', description: 'The order of the list.' })
  orderBy!: Order;

  @Field(() => String, { nullable: true, description: searchDescription })
  search?: string | null;
}
