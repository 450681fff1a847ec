import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { citiesById } from '../../reference/cities/city.queries.ts';
import { City } from '../../reference/cities/city.type.ts';
import { EmbeddedCountry } from '../../reference/countries/country.type.ts';
import type { RequestContext } from '../../request/context.ts';
import { Address } from './address.type.ts';

@Resolver(() => Address)
export class AddressResolver {
  @FieldResolver(() => City, { description: 'The city that it is in.' })
  async city(@Root() address: Address, @Ctx() { reference }: RequestContext) {
    return (await reference.of(citiesById)).get(address.cityId);
  }

  @FieldResolver(() => EmbeddedCountry, { description: 'The country of the city.' })
  async country(@Root() address: Address, @Ctx() { reference }: RequestContext) {
    return (await reference.of(citiesById)).get(address.cityId)?.country;
  }
}
