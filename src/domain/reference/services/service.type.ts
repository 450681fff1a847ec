import { Field, Int, ObjectType } from 'type-graphql';
import { LocalizedNameType } from '../../request/localized-name.type.ts';

@ObjectType({ simpleResolvers: true, description: 'A service that a branch can offer.' })
export class Service extends LocalizedNameType {
  @Field(() => Int, { description: 'Id of the service; the `value` of its lookup entry.' })
  id!: number;

  @Field(() => String, { description: 'Code of the service: "dine_in", "delivery", "pick_up" or "curbside".' })
  code!: string;
}
