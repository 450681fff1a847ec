import { Field, InputType, Int } from 'type-graphql';

@InputType()
abstract class ProductTagNames {
  @Field(() => String, {
    description:
      'English name, 3 to 50 characters after trimming (INVALID_LENGTH), without control characters (INVALID_CHARACTERS).',
  })
  nameEn!: string;
}

@InputType({ description: 'Values of a new tag.' })
export class CreateProductTagInput extends ProductTagNames {
  @Field(() => String, { nullable: true, description: 'Arabic name, with the rules of `nameEn`, or none.' })
  nameAr?: string | null | undefined;

  @Field(() => [Int], {
    nullable: true,
    description:
      "The products of the partner's company to tag (ITEM_NOT_FOUND, ITEM_NOT_PRODUCT), at most 10,000 (TOO_MANY_ITEMS): none " +
      'when absent, null is rejected (INVALID_TYPE). A repeated id counts once.',
  })
  itemIds?: number[] | null | undefined;
}

@InputType({ description: 'New values for a tag.' })
export class UpdateProductTagInput extends ProductTagNames {
  @Field(() => String, {
    nullable: true,
    description: 'Arabic name, with the rules of `nameEn`. Absent leaves it as it is, null removes it.',
  })
  nameAr?: string | null | undefined;

  @Field(() => [Int], {
    nullable: true,
    description:
      "The products of the partner's company that the tag ends up with, exactly (ITEM_NOT_FOUND, ITEM_NOT_PRODUCT), at most " +
      '10,000 (TOO_MANY_ITEMS): absent leaves them as they are, [] unlinks all, null is rejected (INVALID_TYPE). A repeated ' +
      'id counts once.',
  })
  itemIds?: number[] | null | undefined;
}
