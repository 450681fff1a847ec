import { Args, Ctx, Field, Int, ObjectType, Query, Resolver } from 'type-graphql';
import { type BranchRow, branchesByCompany } from '../../../domain/partner/companies/branches.ts';
import { companiesById } from '../../../domain/partner/companies/companies.ts';
import type { Caller } from '../../../domain/partner/tokens/tokens.ts';
import type { RequestContext } from '../../request/context.ts';
import { City } from '../reference/city.resolver.ts';
import { EmbeddedCountry } from '../reference/country.resolver.ts';
import { Service } from '../reference/service.resolver.ts';
import { CurrentCaller } from '../types/access.ts';
import { connectionType, PageArgs } from '../types/connection.ts';
import { Entries } from '../types/field-rules.ts';
import { LocalizedNameType } from '../types/named-types.ts';

@ObjectType({ simpleResolvers: true, description: 'Address of a company or branch.' })
class Address {
  addressLine!: string | null;
  cityId!: number;

  @Field(() => String, { nullable: true, description: 'Street and building; null when unset.' })
  line() {
    return this.addressLine;
  }

  @Field(() => City, { description: 'The city of the address.' })
  city(@Ctx() { reference }: RequestContext) {
    return reference.cities.byId.get(this.cityId);
  }

  @Field(() => EmbeddedCountry, { description: 'The country of the city.' })
  country(@Ctx() { reference }: RequestContext) {
    const city = reference.cities.byId.get(this.cityId);
    return city && reference.countries.byId.get(city.countryId);
  }
}

@ObjectType({ simpleResolvers: true, description: 'A POS company.' })
class Company extends LocalizedNameType {
  @Field(() => Int, { description: 'Id of the company.' })
  id!: number;

  addressLine!: string | null;
  cityId!: number;

  @Field(() => Address, { description: 'Address of the company.' })
  address(): Pick<Address, 'addressLine' | 'cityId'> {
    return this;
  }

  @Field(() => BranchConnection, { description: 'The branches of the company, by id.' })
  branches(@Ctx() { loaders }: RequestContext, @Args(() => PageArgs) args: PageArgs) {
    return BranchConnection.load(args, (page) => loaders.of(branchesByCompany).load({ id: this.id, ...page }));
  }
}

@ObjectType({ simpleResolvers: true, description: 'A branch of a company.' })
class Branch extends LocalizedNameType {
  @Field(() => Int, { description: 'Id of the branch.' })
  id!: number;

  addressLine!: string | null;
  cityId!: number;
  serviceIds!: number[];

  @Field(() => Address, { description: 'Address of the branch.' })
  address(): Pick<Address, 'addressLine' | 'cityId'> {
    return this;
  }

  @Entries((_, { services }) => services)
  @Field(() => [Service], { description: 'The services that the branch offers, by id.' })
  services(@Ctx() { reference }: RequestContext) {
    return this.serviceIds.toSorted((a, b) => a - b).map((id) => reference.services.byId.get(id));
  }
}

const BranchConnection = connectionType<BranchRow>(() => Branch, 'Branch', { one: 'branch', many: 'branches' });

@Resolver()
export class CompanyResolver {
  @Query(() => Company, {
    nullable: true,
    description: "The partner's default POS company, which owns the items and tags. Needs a token.",
  })
  company(@CurrentCaller() { companyId }: Caller, @Ctx() { loaders }: RequestContext) {
    return loaders.of(companiesById).load(companyId);
  }
}
