import { Ctx, Field, Int, ObjectType, Query, Resolver } from 'type-graphql';
import type { RequestContext } from '../../request/context.ts';
import { Reference } from '../types/access.ts';
import { Entries } from '../types/field-rules.ts';
import { LocalizedNameType } from '../types/named-types.ts';

@ObjectType({ simpleResolvers: true, description: 'A service that a branch can offer.' })
export class Service extends LocalizedNameType {
  @Field(() => Int, { description: 'Id of the service; the `value` of its lookup entry.' })
  id!: number;

  @Field(() => String, { description: 'Code of the service: "dine_in", "delivery", "pick_up" or "curbside".' })
  code!: string;
}

@Resolver()
export class ServiceResolver {
  @Reference()
  @Entries((_, { services }) => services)
  @Query(() => [Service], { description: 'Every service that a branch can offer, by id.' })
  services(@Ctx() { locale, reference }: RequestContext) {
    return reference.services.inOrder[locale];
  }
}
