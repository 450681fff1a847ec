import { Ctx, Query, Resolver } from 'type-graphql';
import type { RequestContext } from '../../request/context.ts';
import { Reference } from '../../request/reference-access.ts';
import { serviceListing } from './service.queries.ts';
import { Service } from './service.type.ts';

@Resolver(() => Service)
export class ServiceResolver {
  @Reference()
  @Query(() => [Service], { description: 'Every service that a branch can offer, by id.' })
  async services(@Ctx() { reference }: RequestContext) {
    return reference.of(serviceListing);
  }
}
