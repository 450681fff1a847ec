import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { graphqlCodeOf, type RefusalCode } from '../../../kernel/errors/catalog.ts';
import { type Refusal, refusalMessage } from '../../../kernel/errors/refusal.ts';
import type { Locale } from '../../../kernel/localization/locale.ts';

// What is required is required by GraphQL's own types.
const descriptions: Record<Exclude<RefusalCode, 'required'>, string> = {
  invalid_type: 'Null where a list was due.',
  invalid_length: 'A name without 3 to 50 characters.',
  invalid_characters: 'A name with control characters, or with no visible one.',
  too_many_items: 'More than 10,000 items.',
  item_not_found: "Items that the partner's company does not have; they are in `itemIds`.",
  item_not_product: 'Items that are no products; they are in `itemIds`.',
  product_tag_not_found: "A tag that the partner's company does not have.",
  version_mismatch: 'The tag has another version than `ifMatch` says.',
  idempotency_key_in_use: 'An idempotency key of a request that is still in progress: try again in a second.',
  idempotency_key_reused: 'An idempotency key that another request had in the last 24 hours.',
};

/** GraphQL's name of each refusal, mapped to the refusal. */
const UserErrorCode = Object.fromEntries(
  Object.keys(descriptions).map((code) => [graphqlCodeOf(code as RefusalCode), code]),
);

registerEnumType(UserErrorCode, {
  name: 'UserErrorCode',
  description: 'Why a mutation was refused.',
  valuesConfig: Object.fromEntries(
    Object.entries(descriptions).map(([code, description]) => [graphqlCodeOf(code as RefusalCode), { description }]),
  ),
});

@ObjectType({
  simpleResolvers: true,
  description: 'One reason why a mutation was refused. When there is one, nothing was written.',
})
export class UserError {
  @Field(() => UserErrorCode, { description: 'What is wrong, for programs.' })
  code!: RefusalCode;

  @Field(() => [String], {
    nullable: true,
    description: 'Path of the argument it is about, such as ["input", "nameEn"].',
  })
  field!: string[] | null;

  @Field(() => String, { description: 'What is wrong, for people, in the language of the request.' })
  message!: string;

  @Field(() => [Int], { nullable: true, description: 'The offending items, where it is about items.' })
  itemIds!: number[] | null;
}

// The other fields are the input's.
const argumentNames = ['id', 'ifMatch', 'idempotencyKey'];

export function userErrorOf(refusal: Refusal, locale: Locale): UserError {
  return {
    code: refusal.code,
    field: argumentNames.includes(refusal.field) ? [refusal.field] : ['input', refusal.field],
    message: refusalMessage(refusal, locale),
    itemIds: refusal.itemIds ?? null,
  };
}
