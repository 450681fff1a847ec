import { Ctx, Field, Int, ObjectType } from 'type-graphql';
import { City } from '../../reference/cities/city.type.ts';
import { EmbeddedCountry } from '../../reference/countries/country.type.ts';
import { Service } from '../../reference/services/service.type.ts';
import type { RequestContext } from '../../request/context.ts';
import { LocalizedNameType } from '../../request/localized-name.type.ts';
import { selectBranches } from './branch.queries.ts';

@ObjectType({ simpleResolvers: true, description: 'Where a company or a branch is.' })
class Address {
  @Field(() => String, { nullable: true, description: 'Street and building; null when unset.' })
  line!: string | null;

  @Field(() => City, { description: 'The city of the address.' })
  city!: City;

  @Field(() => EmbeddedCountry, { description: 'The country of the city.' })
  country!: EmbeddedCountry;
}

function addressOf({ addressLine, cityId }: Company | Branch, { reference }: RequestContext) {
  const city = reference.citiesById.get(cityId);
  return { line: addressLine, city, country: city?.country };
}

@ObjectType({ simpleResolvers: true, description: 'A POS company.' })
export class Company extends LocalizedNameType {
  @Field(() => Int, { description: 'Id of the company.' })
  id!: number;

  addressLine!: string | null;
  cityId!: number;

  @Field(() => Address, { description: 'Where the company is.' })
  address(@Ctx() context: RequestContext) {
    return addressOf(this, context);
  }

  @Field(() => [Branch], { description: 'The branches of the company, by id.' })
  branches(@Ctx() { loaders }: RequestContext) {
    return loaders.own(selectBranches);
  }
}

@ObjectType({ simpleResolvers: true, description: 'A branch of a company.' })
class Branch extends LocalizedNameType {
  @Field(() => Int, { description: 'Id of the branch.' })
  id!: number;

  addressLine!: string | null;
  cityId!: number;
  serviceIds!: number[];

  @Field(() => Address, { description: 'Where the branch is.' })
  address(@Ctx() context: RequestContext) {
    return addressOf(this, context);
  }

  @Field(() => [Service], { description: 'The services that the branch offers, by id.' })
  services(@Ctx() { reference }: RequestContext) {
    return reference.services.filter(({ id }) => this.serviceIds.includes(id));
  }
}
