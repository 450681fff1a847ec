import { Arg, Ctx, Int, Query, Resolver } from 'type-graphql';
import type { RequestContext } from '../request/context.ts';
import { Reference } from '../request/reference-access.ts';
import { cityListing } from './cities/city.queries.ts';
import { City } from './cities/city.type.ts';
import { countryListing } from './countries/country.queries.ts';
import { Country } from './countries/country.type.ts';
import { serviceListing } from './services/service.queries.ts';
import { Service } from './services/service.type.ts';
import { Timezone, timezoneListing } from './timezones/timezone.type.ts';

@Resolver()
export class ReferenceResolver {
  @Reference()
  @Query(() => [Country], {
    description: 'Every country: Saudi Arabia first, then alphabetically by the name in the language of the request.',
  })
  async countries(@Ctx() { locale, reference }: RequestContext) {
    return reference.of(countryListing[locale]);
  }

  @Reference()
  @Query(() => [City], {
    description: 'Cities, alphabetically by the name in the language of the request: those of one country, or all.',
  })
  async cities(
    @Ctx() { locale, reference }: RequestContext,
    @Arg('countryId', () => Int, {
      nullable: true,
      description: 'Only the cities of this country; empty when unknown.',
    })
    countryId?: number | null,
  ) {
    const cities = await reference.of(cityListing[locale]);
    return countryId == null ? cities : cities.filter((city) => city.countryId === countryId);
  }

  @Reference()
  @Query(() => [Timezone], { description: 'Every IANA time zone, by name.' })
  async timezones(@Ctx() { reference }: RequestContext) {
    return reference.of(timezoneListing);
  }

  @Reference()
  @Query(() => [Service], { description: 'Every service that a branch can offer, by id.' })
  async services(@Ctx() { reference }: RequestContext) {
    return reference.of(serviceListing);
  }
}
