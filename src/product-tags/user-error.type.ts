import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { graphqlCodeOf, type RefusalCode, refusals } from '../errors/catalog.ts';
import { type Refusal, refusalMessage } from '../errors/refusal.ts';
import type { Locale } from '../localization/locale.ts';

/** GraphQL's name of each refusal, mapped to the refusal: the enum follows the catalog. */
const UserErrorCode = Object.fromEntries(
  Object.keys(refusals).map((code) => [graphqlCodeOf(code as RefusalCode), code]),
);

registerEnumType(UserErrorCode, {
  name: 'UserErrorCode',
  description: 'Why a mutation was refused.',
  valuesConfig: Object.fromEntries(
    Object.entries(refusals).map(([code, { message }]) => [
      graphqlCodeOf(code as RefusalCode),
      { description: message.en.replace(/\{\w+\}/g, '…') },
    ]),
  ),
});

@ObjectType({ description: 'One reason why a mutation was refused. When there is one, nothing was written.' })
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

export function userErrorOf(refusal: Refusal, locale: Locale): UserError {
  return {
    code: refusal.code,
    field: refusal.field === 'id' ? ['id'] : ['input', refusal.field],
    message: refusalMessage(refusal, locale),
    itemIds: refusal.itemIds ?? null,
  };
}
