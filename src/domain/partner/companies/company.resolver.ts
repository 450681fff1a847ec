import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../../request/context.ts';
import { Viewer } from '../viewer/viewer.type.ts';
import { Address, addressOf } from './address.type.ts';
import { branchesByCompanyId } from './branch.queries.ts';
import { Branch } from './branch.type.ts';
import { companiesById } from './company.queries.ts';
import { Company } from './company.type.ts';

@Resolver(() => Company)
export class CompanyResolver {
  @FieldResolver(() => Address, { description: 'Where the company is.' })
  address(@Root() company: Company): Address {
    return addressOf(company);
  }

  @FieldResolver(() => [Branch], { description: 'The branches of the company, by id.' })
  async branches(@Root() company: Company, @Ctx() { loaders }: RequestContext) {
    return loaders.of(branchesByCompanyId).load(company.id);
  }
}

@Resolver(() => Viewer)
export class ViewerCompanyResolver {
  @FieldResolver(() => Company, { description: "The partner's default POS company: the one that tags belong to." })
  async company(@Root() { caller }: Viewer, @Ctx() { loaders }: RequestContext) {
    return loaders.of(companiesById).load(caller.companyId);
  }
}
