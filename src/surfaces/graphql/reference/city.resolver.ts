import { Arg, Ctx, Field, Int, ObjectType, Query, Resolver } from 'type-graphql';
import type { RequestContext } from '../../request/context.ts';
import { Reference } from '../types/access.ts';
import { Entries } from '../types/field-rules.ts';
import { LocalizedNameType } from '../types/named-types.ts';
import { EmbeddedCountry } from './country.resolver.ts';

@ObjectType({ simpleResolvers: true, description: 'A city. It belongs to exactly one country.' })
export class City extends LocalizedNameType {
  @Field(() => Int, { description: 'Id of the city.' })
  id!: number;

  @Field(() => Int, { description: 'Id of its country, as in Country.id.' })
  countryId!: number;

  @Field(() => EmbeddedCountry, { description: 'The country of the city.' })
  country(@Ctx() { reference }: RequestContext) {
    return reference.countries.byId.get(this.countryId);
  }
}

@Resolver()
export class CityResolver {
  @Reference()
  @Entries((_, { cities }) => cities)
  @Query(() => [City], {
    description: 'All cities, or those of one country, by name in the language of the request.',
  })
  cities(
    @Ctx() { locale, reference }: RequestContext,
    @Arg('countryId', () => Int, {
      nullable: true,
      description: 'Only cities of this country. An unknown country has no cities.',
    })
    countryId?: number | null,
  ) {
    const cities = reference.cities.inOrder[locale];
    return countryId == null ? cities : cities.filter((city) => city.countryId === countryId);
  }
}
