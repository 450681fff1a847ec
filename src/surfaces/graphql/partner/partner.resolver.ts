import { Ctx, Field, Int, ObjectType, Query, Resolver } from 'type-graphql';
import { partnersById } from '../../../domain/partner/partners/partners.ts';
import type { Caller } from '../../../domain/partner/tokens/tokens.ts';
import type { RequestContext } from '../../request/context.ts';
import { CurrentCaller } from '../types/access.ts';

@ObjectType({ simpleResolvers: true, description: 'A partner. Tokens are issued to partners.' })
class Partner {
  @Field(() => Int, { description: 'Id of the partner.' })
  id!: number;

  @Field(() => String, { description: 'Name of the partner, the same in every language.' })
  name!: string;
}

@Resolver()
export class PartnerResolver {
  @Query(() => Partner, { nullable: true, description: 'The partner that the token was issued to. Needs a token.' })
  partner(@CurrentCaller() { partnerId }: Caller, @Ctx() { loaders }: RequestContext) {
    return loaders.of(partnersById).load(partnerId);
  }
}
