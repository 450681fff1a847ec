import { Authorized, Ctx, Query, Resolver } from 'type-graphql';
import { referenceRole } from '../auth/reference-access.ts';
import { sortByName } from '../localization/collation.ts';
import type { Locale } from '../localization/locale.ts';
import type { RequestContext } from '../request/context.ts';
import { type CountryRow, listCountries } from './country.queries.ts';
import { Country } from './country.type.ts';

@Resolver(() => Country)
export class CountryResolver {
  @Authorized(referenceRole)
  @Query(() => [Country], {
    description: 'Every country: Saudi Arabia first, then alphabetically by the name in the language of the request.',
  })
  async countries(@Ctx() { db, locale }: RequestContext) {
    return sortForListing(await listCountries(db), locale);
  }
}

function sortForListing(rows: CountryRow[], locale: Locale): CountryRow[] {
  const { first = [], others = [] } = Object.groupBy(rows, (row) => (row.shortCode === 'SA' ? 'first' : 'others'));
  return [...first, ...sortByName(others, locale)];
}
