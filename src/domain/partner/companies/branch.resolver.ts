import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { serviceListing } from '../../reference/services/service.queries.ts';
import { Service } from '../../reference/services/service.type.ts';
import type { RequestContext } from '../../request/context.ts';
import { Address, addressOf } from './address.type.ts';
import { serviceIdsByBranch } from './branch.queries.ts';
import { Branch } from './branch.type.ts';

@Resolver(() => Branch)
export class BranchResolver {
  @FieldResolver(() => Address, { description: 'Where the branch is.' })
  address(@Root() branch: Branch): Address {
    return addressOf(branch);
  }

  @FieldResolver(() => [Service], { description: 'The services that the branch offers, by id.' })
  async services(@Root() branch: Branch, @Ctx() { loaders, reference }: RequestContext) {
    const offered = new Set(await loaders.of(serviceIdsByBranch).load(branch));
    return (await reference.of(serviceListing)).filter((service) => offered.has(service.id));
  }
}
