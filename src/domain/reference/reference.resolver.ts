import { Arg, Ctx, Int, Query, Resolver } from 'type-graphql';
import { Reference } from '../request/access.ts';
import type { RequestContext } from '../request/context.ts';
import { City } from './cities/city.type.ts';
import { Country } from './countries/country.type.ts';
import { Lookups } from './lookups/lookups.type.ts';
import { Service } from './services/service.type.ts';
import { Timezone } from './timezones/timezone.type.ts';

@Resolver()
export class ReferenceResolver {
  @Reference()
  @Query(() => Lookups, { description: 'The reference lists of dropdowns.' })
  lookups() {
    return {};
  }

  @Reference()
  @Query(() => [Country], {
    description: 'Every country: Saudi Arabia first, then alphabetically by the name in the language of the request.',
  })
  countries(@Ctx() { locale, reference }: RequestContext) {
    return reference.countries[locale];
  }

  @Reference()
  @Query(() => [City], {
    description: 'Cities, alphabetically by the name in the language of the request: those of one country, or all.',
  })
  cities(
    @Ctx() { locale, reference }: RequestContext,
    @Arg('countryId', () => Int, {
      nullable: true,
      description: 'Only the cities of this country; empty when unknown.',
    })
    countryId?: number | null,
  ) {
    const cities = reference.cities[locale];
    return countryId == null ? cities : cities.filter((city) => city.countryId === countryId);
  }

  @Reference()
  @Query(() => [Timezone], { description: 'Every IANA time zone, by name.' })
  timezones(@Ctx() { reference }: RequestContext) {
    return reference.timezones;
  }

  @Reference()
  @Query(() => [Service], { description: 'Every service that a branch can offer, by id.' })
  services(@Ctx() { reference }: RequestContext) {
    return reference.services;
  }
}
