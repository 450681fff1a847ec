import { Field, Int, ObjectType } from 'type-graphql';

@ObjectType({ simpleResolvers: true, description: 'A partner: who a token was issued to.' })
export class Partner {
  @Field(() => Int, { description: 'Id of the partner.' })
  id!: number;

  @Field(() => String, { description: 'Name of the partner, the same in every language.' })
  name!: string;
}
