import { Ctx, Query, Resolver } from 'type-graphql';
import type { RequestContext } from '../../request/context.ts';
import { Reference } from '../../request/reference-access.ts';
import { countryListing } from './country.queries.ts';
import { Country } from './country.type.ts';

@Resolver(() => Country)
export class CountryResolver {
  @Reference()
  @Query(() => [Country], {
    description: 'Every country: Saudi Arabia first, then alphabetically by the name in the language of the request.',
  })
  async countries(@Ctx() { locale, reference }: RequestContext) {
    return reference.of(countryListing[locale]);
  }
}
