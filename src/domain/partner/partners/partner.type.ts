import { Field, Int, ObjectType } from 'type-graphql';

@ObjectType({ simpleResolvers: true, description: 'A partner, to whom tokens are issued.' })
export class Partner {
  @Field(() => Int, { description: 'Id of the partner.' })
  id!: number;

  @Field(() => String, { description: 'Name of the partner, the same in every language.' })
  name!: string;
}
