import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { graphqlCodeOf, type RefusalCode } from '../../../kernel/errors/catalog.ts';
import { type Refusal, RefusedError, refusalMessage } from '../../../kernel/errors/refusal.ts';
import type { Locale } from '../../../kernel/localization/locale.ts';
import { noteCode } from '../../../kernel/request/scope.ts';
import type { RequestContext } from '../../request/context.ts';
import { ProductTag } from './product-tag.type.ts';

// GraphQL's own types reject a missing field.
const descriptions: Record<Exclude<RefusalCode, 'required'>, string> = {
  invalid_type: 'The list is required.',
  invalid_length: 'A name must have 3 to 50 characters.',
  invalid_characters: 'A name must have visible characters and no control characters.',
  too_many_items: 'More than 10,000 items.',
  item_not_found: "The partner's company does not have the items of `itemIds`.",
  item_not_product: 'The items of `itemIds` are not products.',
  product_tag_not_found: "The partner's company has no such tag.",
  version_mismatch: 'The tag has changed since you read it: its version is not `ifMatch`.',
  idempotency_key_in_use: 'A request with this idempotency key is still in progress: try again in a second.',
  idempotency_key_reused: 'Another request used this idempotency key in the last 24 hours.',
};

const codes = Object.entries(descriptions).map(([code, description]) => {
  return { code, name: graphqlCodeOf(code as RefusalCode), description };
});

/** GraphQL's name of each refusal, mapped to the refusal. */
const UserErrorCode = Object.fromEntries(codes.map(({ code, name }) => [name, code]));

registerEnumType(UserErrorCode, {
  name: 'UserErrorCode',
  description: 'Why a mutation was rejected.',
  valuesConfig: Object.fromEntries(codes.map(({ name, description }) => [name, { description }])),
});

@ObjectType({
  simpleResolvers: true,
  description: 'One reason why a mutation was rejected. A rejected mutation writes nothing.',
})
export class UserError {
  @Field(() => UserErrorCode, { description: 'What is wrong, for programs.' })
  code!: RefusalCode;

  @Field(() => [String], {
    nullable: true,
    description: 'Path of the invalid argument, such as ["input", "nameEn"].',
  })
  field!: string[] | null;

  @Field(() => String, { description: 'What is wrong, for people, in the language of the request.' })
  message!: string;

  @Field(() => [Int], { nullable: true, description: 'The offending items, if the error is about items.' })
  itemIds!: number[] | null;
}

@ObjectType({ simpleResolvers: true })
abstract class MutationPayload {
  @Field(() => [UserError], { description: 'Why the mutation was rejected; empty when it succeeded.' })
  userErrors!: UserError[];
}

@ObjectType({ simpleResolvers: true, description: 'The outcome of creating or updating a tag: the tag, or why not.' })
export class ProductTagPayload extends MutationPayload {
  @Field(() => ProductTag, { nullable: true, description: 'The tag after the mutation; null when rejected.' })
  productTag!: ProductTag | null;
}

@ObjectType({ simpleResolvers: true, description: 'The outcome of deleting a tag.' })
export class DeleteProductTagPayload extends MutationPayload {
  @Field(() => Int, { nullable: true, description: 'Id of the deleted tag; null when rejected.' })
  deletedProductTagId!: number | null;
}

/** The result of a write, or the user errors of its refusal; other errors pass. The rest of the request reads the new state. */
export async function settle<Result>(
  { loaders, locale }: RequestContext,
  write: Promise<Result>,
): Promise<{ result: Result | null; userErrors: UserError[] }> {
  try {
    return { result: await write, userErrors: [] };
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    for (const { code } of error.refusals) noteCode(code);
    return { result: null, userErrors: error.refusals.map((refusal) => userErrorOf(refusal, locale)) };
  } finally {
    loaders.reset();
  }
}

// The other fields are the input's.
const argumentNames = ['id', 'ifMatch', 'idempotencyKey'];

function userErrorOf(refusal: Refusal, locale: Locale): UserError {
  const { code, field, itemIds = null } = refusal;
  const path = argumentNames.includes(field) ? [field] : ['input', field];
  return { code, field: path, message: refusalMessage(refusal, locale), itemIds };
}
