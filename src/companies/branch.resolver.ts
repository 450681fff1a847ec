import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../request/context.ts';
import { Service } from '../services/service.type.ts';
import { Address, addressOf } from './address.type.ts';
import { servicesByBranch } from './branch.queries.ts';
import { Branch } from './branch.type.ts';

@Resolver(() => Branch)
export class BranchResolver {
  @FieldResolver(() => Address, { description: 'Where the branch is.' })
  address(@Root() branch: Branch): Address {
    return addressOf(branch);
  }

  @FieldResolver(() => [Service], { description: 'The services that the branch offers, by id.' })
  async services(@Root() branch: Branch, @Ctx() { loaders }: RequestContext) {
    return loaders.of(servicesByBranch).load(branch);
  }
}
