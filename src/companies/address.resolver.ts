import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { citiesById } from '../cities/city.queries.ts';
import { City } from '../cities/city.type.ts';
import { countriesById } from '../countries/country.queries.ts';
import { EmbeddedCountry } from '../countries/country.type.ts';
import type { RequestContext } from '../request/context.ts';
import { Address } from './address.type.ts';

@Resolver(() => Address)
export class AddressResolver {
  @FieldResolver(() => City, { description: 'The city.' })
  async city(@Root() address: Address, @Ctx() { loaders }: RequestContext) {
    return loaders.of(citiesById).load(address.cityId);
  }

  @FieldResolver(() => EmbeddedCountry, { description: 'The country of the city.' })
  async country(@Root() address: Address, @Ctx() { loaders }: RequestContext) {
    const city = await loaders.of(citiesById).load(address.cityId);
    return city && loaders.of(countriesById).load(city.countryId);
  }
}
