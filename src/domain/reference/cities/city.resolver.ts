import { Arg, Ctx, Int, Query, Resolver } from 'type-graphql';
import type { RequestContext } from '../../request/context.ts';
import { Reference } from '../../request/reference-access.ts';
import { cityListing } from './city.queries.ts';
import { City } from './city.type.ts';

@Resolver(() => City)
export class CityResolver {
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
}
