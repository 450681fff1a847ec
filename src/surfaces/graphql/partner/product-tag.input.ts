import { Field, InputType, Int } from 'type-graphql';
import type { NewProductTag, ProductTagChanges } from '../../../domain/partner/product-tags/product-tag.service.ts';

@InputType({ description: 'Values of a new tag.' })
export class CreateProductTagInput implements NewProductTag {
  @Field(() => String, {
    description:
      'English name: 3 to 50 characters after trimming (INVALID_LENGTH), no control characters (INVALID_CHARACTERS).',
  })
  nameEn!: string;

  @Field(() => String, { nullable: true, description: 'Optional Arabic name; the rules of `nameEn` apply.' })
  nameAr?: string | null | undefined;

  @Field(() => [Int], {
    nullable: true,
    description:
      "Products of the partner's company to tag (ITEM_NOT_FOUND, ITEM_NOT_PRODUCT), at most 10,000 (TOO_MANY_ITEMS). " +
      'Absent or null means none. A repeated id counts once.',
  })
  itemIds?: number[] | null | undefined;
}

@InputType({ description: 'New values for a tag.' })
export class UpdateProductTagInput implements ProductTagChanges {
  @Field(() => String, {
    nullable: true,
    description:
      'English name: 3 to 50 characters after trimming (INVALID_LENGTH), no control characters (INVALID_CHARACTERS). ' +
      'Absent keeps it, null is rejected (INVALID_TYPE).',
  })
  nameEn?: string | null | undefined;

  @Field(() => String, {
    nullable: true,
    description: 'Arabic name; the rules of `nameEn` apply. Absent keeps it, null removes it.',
  })
  nameAr?: string | null | undefined;

  @Field(() => [Int], {
    nullable: true,
    description:
      "Products of the partner's company that replace the tag's items (ITEM_NOT_FOUND, ITEM_NOT_PRODUCT), at most " +
      '10,000 (TOO_MANY_ITEMS). Absent keeps the items, [] unlinks all, null is rejected (INVALID_TYPE). A ' +
      'repeated id counts once.',
  })
  itemIds?: number[] | null | undefined;
}
