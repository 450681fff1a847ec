import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { messageValues } from '../../../domain/partner/product-tags/product-tags.queries.ts';
import { toGraphQLCode, type ValidationCode } from '../../../kernel/errors/catalog.ts';
import { formatValidationError, type Result } from '../../../kernel/errors/validation-error.ts';
import type { RequestContext } from '../../request/context.ts';
import { countIds } from '../../request/cost.ts';
import { Rules } from '../types/field-rules.ts';

// The schema itself rejects a missing field.
const descriptions: Record<Uppercase<Exclude<ValidationCode, 'required'>>, string> = {
  INVALID_TYPE: '`nameEn` and `itemIds` cannot be null.',
  INVALID_LENGTH: 'A name must have 3 to 50 characters.',
  INVALID_CHARACTERS: 'A name must have visible characters and no control characters.',
  TOO_MANY_ITEMS: 'More than 10,000 items, in the list or on the tag.',
  ITEM_NOT_FOUND: "The partner's company has no items with the ids in `itemIds`.",
  ITEM_NOT_PRODUCT: 'The items in `itemIds` are not products.',
  PRODUCT_TAG_NOT_FOUND: "The partner's company has no tag with this id.",
  VERSION_MISMATCH: 'The tag has changed since you read it: its version is not `ifMatch`.',
};

const codes = Object.entries(descriptions);
const UserErrorCode = Object.fromEntries(codes.map(([code]) => [code, code]));

registerEnumType(UserErrorCode, {
  name: 'UserErrorCode',
  description: 'Why a mutation was rejected.',
  valuesConfig: Object.fromEntries(codes.map(([code, description]) => [code, { description }])),
});

const maxUserErrors = 10;

@ObjectType({
  simpleResolvers: true,
  description: 'One reason why a mutation was rejected. A rejected mutation writes nothing.',
})
class UserError {
  @Field(() => UserErrorCode, { description: 'Error code, for programs.' })
  code!: string;

  @Rules({ cost: 1 })
  @Field(() => [String], {
    nullable: true,
    description: 'Path of the invalid argument, such as ["input", "nameEn"].',
  })
  field!: readonly string[] | null;

  @Field(() => String, { description: 'Error message, for people, in the language of the request.' })
  message!: string;

  // All errors together name at most the items of the mutation.
  @Rules({ cost: ({ parent: errors }) => 1 + Math.ceil(countIds(errors?.parent?.args) / 2 / maxUserErrors) })
  @Field(() => [Int], { nullable: true, description: 'Ids of the items that caused the error; null for other errors.' })
  itemIds?: number[];
}

@ObjectType({ simpleResolvers: true })
export abstract class MutationPayload {
  @Rules({ length: () => maxUserErrors })
  @Field(() => [UserError], { description: 'Why the mutation was rejected; empty when it succeeded.' })
  userErrors!: UserError[];
}

export function toUserErrors(context: RequestContext, { validationErrors = [] }: Result<unknown>): UserError[] {
  context.code ??= validationErrors[0]?.code;
  return validationErrors.map((validationError) => {
    const { code, path, ids } = validationError;
    const message = formatValidationError(
      { ...validationError, values: { ...messageValues, ...validationError.values } },
      context.locale,
    );
    return { code: toGraphQLCode(code), field: path, message, ...ids };
  });
}
