import { Field, Int, ObjectType } from 'type-graphql';
import { RefusedError } from '../../../kernel/errors/refusal.ts';
import type { Locale } from '../../../kernel/localization/locale.ts';
import { noteCode } from '../../../kernel/request/scope.ts';
import { ProductTag } from './product-tag.type.ts';
import { UserError, userErrorOf } from './user-error.type.ts';

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
