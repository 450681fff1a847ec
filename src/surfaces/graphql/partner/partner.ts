import { Args, Ctx, Field, Int, ObjectType, Query, Resolver } from 'type-graphql';
import { type BranchRow, branchesByCompany } from '../../../domain/partner/companies/branches.ts';
import { companiesById } from '../../../domain/partner/companies/companies.ts';
import { partnersById } from '../../../domain/partner/partners/partners.ts';
import type { Caller } from '../../../domain/partner/tokens/tokens.ts';
import type { RequestContext } from '../../request/context.ts';
import { City, EmbeddedCountry, Service } from '../reference.ts';
import { CurrentCaller } from '../types/access.ts';
import { LocalizedNameType } from '../types/common-fields.ts';
import { createConnectionType, PageArgs } from '../types/connection.ts';
import { MethodField, Rules } from '../types/field-rules.ts';

@ObjectType({ simpleResolvers: true, description: 'A partner of the platform, to whom tokens are issued.' })
class Partner {
  @Field(() => Int, { description: 'Id of the partner.' })
  id!: number;

  @Field(() => String, { description: 'Name of the partner, never translated.' })
  name!: string;
}

@ObjectType({ simpleResolvers: true, description: 'Address of a company or branch.' })
class Address {
  addressLine!: string | null;
  cityId!: number;

  @MethodField(() => String, { nullable: true, description: 'Street and building; null when unset.' })
  line() {
    return this.addressLine;
  }

  @MethodField(() => City, { description: 'The city of the address.' })
  city(_args: object, { reference }: RequestContext) {
    return reference.cities.byId.get(this.cityId);
  }

  @MethodField(() => EmbeddedCountry, { description: 'The country of the city.' })
  country(_args: object, { reference }: RequestContext) {
    const city = reference.cities.byId.get(this.cityId);
    return city && reference.countries.byId.get(city.countryId);
  }
}

@ObjectType({ simpleResolvers: true, description: 'A point-of-sale (POS) company.' })
class Company extends LocalizedNameType {
  @Field(() => Int, { description: 'Id of the company.' })
  id!: number;

  addressLine!: string | null;
  cityId!: number;

  @MethodField(() => Address, { description: 'Address of the company.' })
  address(): Pick<Address, 'addressLine' | 'cityId'> {
    return this;
  }

  @MethodField(() => BranchConnection, { description: 'The branches of the company, by id.' })
  branches(@Args(() => PageArgs) args: PageArgs, { loaders }: RequestContext) {
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

  @MethodField(() => Address, { description: 'Address of the branch.' })
  address(): Pick<Address, 'addressLine' | 'cityId'> {
    return this;
  }

  @Rules({ length: ({ lengths }) => lengths.services })
  @MethodField(() => [Service], { description: 'The services that the branch offers, by id.' })
  services(_args: object, { reference }: RequestContext) {
    return this.serviceIds.toSorted((a, b) => a - b).map((id) => reference.services.byId.get(id));
  }
}

const BranchConnection = createConnectionType<BranchRow>(
  Branch,
  { singular: 'branch', plural: 'branches' },
  { isCounted: false },
);

@Resolver()
export class PartnerResolver {
  @Query(() => Partner, { nullable: true, description: 'The partner that the token was issued to.' })
  partner(@CurrentCaller() { partnerId }: Caller, @Ctx() { loaders }: RequestContext) {
    return loaders.of(partnersById).load(partnerId);
  }

  @Query(() => Company, {
    nullable: true,
    description: "The partner's default POS company, which owns the items and tags.",
  })
  company(@CurrentCaller() { companyId }: Caller, @Ctx() { loaders }: RequestContext) {
    return loaders.of(companiesById).load(companyId);
  }
}
