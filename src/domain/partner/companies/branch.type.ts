import { Field, Int, ObjectType } from 'type-graphql';
import { LocalizedNameType } from '../../request/localized-name.type.ts';

@ObjectType({ simpleResolvers: true, description: 'A branch of a company.' })
export class Branch extends LocalizedNameType {
  @Field(() => Int, { description: 'Id of the branch.' })
  id!: number;

  companyId!: number;
  addressLine!: string | null;
  cityId!: number;
}
