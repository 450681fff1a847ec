import { Arg, Authorized, Ctx, FieldResolver, Int, Query, Resolver, Root } from 'type-graphql';
import { referenceRole } from '../auth/reference-access.ts';
import { countriesById } from '../countries/country.queries.ts';
import { EmbeddedCountry } from '../countries/country.type.ts';
import { sortByName } from '../localization/collation.ts';
import type { RequestContext } from '../request/context.ts';
import { listCities } from './city.queries.ts';
import { City } from './city.type.ts';

@Resolver(() => City)
export class CityResolver {
  @Authorized(referenceRole)
  @Query(() => [City], {
    description: 'Cities, alphabetically by the name in the language of the request: those of one country, or all.',
  })
  async cities(
    @Ctx() { db, locale }: RequestContext,
    @Arg('countryId', () => Int, {
      nullable: true,
      description: 'Only the cities of this country; empty when unknown.',
    })
    countryId?: number | null,
  ) {
    return sortByName(await listCities(db, countryId ?? undefined), locale);
  }

  @FieldResolver(() => EmbeddedCountry, { description: 'The country of the city.' })
  async country(@Root() city: City, @Ctx() { loaders }: RequestContext) {
    return loaders.of(countriesById).load(city.countryId);
  }
}
