import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { graphqlCodeOf, type RefusalCode } from '../../../kernel/errors/catalog.ts';
import { type Refusal, RefusedError, refusalMessage } from '../../../kernel/errors/refusal.ts';
import type { Locale } from '../../../kernel/localization/locale.ts';
import { noteCode } from '../../../kernel/request/scope.ts';
import { ProductTag } from './product-tag.type.ts';

// GraphQL's own types reject a missing field.
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

const codes = Object.entries(descriptions).map(([code, description]) => {
  return { code, name: graphqlCodeOf(code as RefusalCode), description };
});

/** GraphQL's name of each refusal, mapped to the refusal. */
const UserErrorCode = Object.fromEntries(codes.map(({ code, name }) => [name, code]));

registerEnumType(UserErrorCode, {
  name: 'UserErrorCode',
  description: 'Why a mutation was refused.',
  valuesConfig: Object.fromEntries(codes.map(({ name, description }) => [name, { description }])),
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

@ObjectType({ simpleResolvers: true })
abstract class MutationPayload {
  @Field(() => [UserError], { description: 'Why it was refused; empty when it was done.' })
  userErrors!: UserError[];
}

@ObjectType({ simpleResolvers: true, description: 'The outcome of creating or updating a tag: the tag, or why not.' })
export class ProductTagPayload extends MutationPayload {
  @Field(() => ProductTag, { nullable: true, description: 'The tag as it is now; null when refused.' })
  productTag!: ProductTag | null;
}

@ObjectType({ simpleResolvers: true, description: 'The outcome of deleting a tag.' })
export class DeleteProductTagPayload extends MutationPayload {
  @Field(() => Int, { nullable: true, description: 'Id of the tag that is gone; null when refused.' })
  deletedProductTagId!: number | null;
}

/** What `write` returned, or the user errors of its refusal; other errors pass. */
export async function settle<Result>(
  write: Promise<Result>,
  locale: Locale,
): Promise<{ result: Result | null; userErrors: UserError[] }> {
  try {
    return { result: await write, userErrors: [] };
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    for (const { code } of error.refusals) noteCode(code);
    return { result: null, userErrors: error.refusals.map((refusal) => userErrorOf(refusal, locale)) };
  }
}

// The other fields are the input's.
const argumentNames = ['id', 'ifMatch', 'idempotencyKey'];

function userErrorOf(refusal: Refusal, locale: Locale): UserError {
  const { code, field, itemIds = null } = refusal;
  const path = argumentNames.includes(field) ? [field] : ['input', field];
  return { code, field: path, message: refusalMessage(refusal, locale), itemIds };
}
