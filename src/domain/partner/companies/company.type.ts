import { Field, Int, ObjectType } from 'type-graphql';
import { LocalizedNameType } from '../../request/localized-name.type.ts';

@ObjectType({ simpleResolvers: true, description: 'A POS company.' })
export class Company extends LocalizedNameType {
  @Field(() => Int, { description: 'Id of the company.' })
  id!: number;

  addressLine!: string | null;
  cityId!: number;
}
