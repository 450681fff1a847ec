import { Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import { CurrentCaller } from '../../request/caller.ts';
import type { Caller, RequestContext } from '../../request/context.ts';
import { partnersById } from '../partners/partner.queries.ts';
import { Partner } from '../partners/partner.type.ts';
import { Viewer } from './viewer.type.ts';

@Resolver(() => Viewer)
export class ViewerResolver {
  @Query(() => Viewer, { description: 'The calling partner. Needs a token (UNAUTHENTICATED without a live one).' })
  viewer(@CurrentCaller() caller: Caller): Viewer {
    return { caller };
  }

  @FieldResolver(() => Partner, { description: 'The partner that the token was issued to.' })
  async partner(@Root() { caller }: Viewer, @Ctx() context: RequestContext): Promise<Partner | undefined> {
    return context.loaders.of(partnersById).load(caller.partnerId);
  }
}
