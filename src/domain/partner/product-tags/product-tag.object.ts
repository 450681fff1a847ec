import { Field, Int, ObjectType } from 'type-graphql';
import { connectionType } from '../../request/connection.ts';
import { LocalizedNameField } from '../../request/named-types.ts';
import type { ProductTagRow } from './product-tag.queries.ts';

@ObjectType({ simpleResolvers: true, description: "A free-form label that groups products of the partner's company." })
export class ProductTag {
  @Field(() => Int, { description: 'Id of the tag.' })
  id!: number;

  @Field(() => String, { description: 'English name, 3 to 50 characters.' })
  nameEn!: string;

  @Field(() => String, { nullable: true, description: 'Arabic name, 3 to 50 characters; null when unset.' })
  nameAr!: string | null;

  @Field(() => String, {
    description: "Changes whenever the tag's names or items change. Pass it as `ifMatch` of an update.",
  })
  version!: string;

  @LocalizedNameField({
    nullable: true,
    description: 'Name in `locale`, or in the language of the request. Null when that is Arabic and `nameAr` is unset.',
  })
  name!: string | null;
}

export const ProductTagConnection = connectionType<ProductTagRow>(() => ProductTag, 'ProductTag', {
  one: 'tag',
  many: 'tags',
});
