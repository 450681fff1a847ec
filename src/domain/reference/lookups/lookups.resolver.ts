import { Arg, Ctx, Field, Int, ObjectType, Query, Resolver } from 'type-graphql';
import { AppError } from '../../../kernel/errors/app-error.ts';
import type { Locale } from '../../../kernel/localization/locale.ts';
import { type LocalizedName, localizedName } from '../../../kernel/localization/localized-name.ts';
import { Reference } from '../../request/access.ts';
import type { ReferenceBatch } from '../../request/batches.ts';
import type { RequestContext } from '../../request/context.ts';
import { servicesInOrder } from '../services/service.queries.ts';
import { applicationsInOrder, brandTypesInOrder, cuisineTypesInOrder } from './lookup.queries.ts';

@ObjectType({ simpleResolvers: true, description: 'One entry of a lookup.' })
class LookupEntry {
  @Field(() => String, { description: '"id" for records, "week_day" for week days.' })
  key!: string;

  @Field(() => String, { description: 'Id of the record as a string; for week days, the lowercase English name.' })
  value!: string;

  @Field(() => String, { description: 'Name in the language of the request. Applications are never translated.' })
  name!: string;
}

@ObjectType({
  simpleResolvers: true,
  description: 'Reference lists for dropdowns. Select only the lists you need.',
})
class Lookups {
  @Field(() => [LookupEntry], { description: 'Brand types assignable to a brand.' })
  brandTypes(@Ctx() context: RequestContext, @Page() page: number) {
    return pageOf(context, brandTypesInOrder, page);
  }

  @Field(() => [LookupEntry], { description: 'Cuisine types assignable to a brand.' })
  cuisineTypes(@Ctx() context: RequestContext, @Page() page: number) {
    return pageOf(context, cuisineTypesInOrder, page);
  }

  @Field(() => [LookupEntry], { description: 'Services a branch can offer.' })
  services(@Ctx() context: RequestContext, @Page() page: number) {
    return pageOf(context, servicesInOrder, page);
  }

  @Field(() => [LookupEntry], { description: 'Partner applications of the platform; never translated.' })
  applications(@Ctx() context: RequestContext, @Page() page: number) {
    return pageOf(context, applicationsInOrder, page);
  }

  @Field(() => [LookupEntry], { description: 'The seven days of the week, from Sunday, for opening hours.' })
  weekDays(@Ctx() { locale }: RequestContext): LookupEntry[] {
    const format = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' });
    // The 1st of January 2023 is a Sunday.
    return days.map((value, index) => ({ key: 'week_day', value, name: format.format(Date.UTC(2023, 0, 1 + index)) }));
  }
}

@Resolver()
export class LookupsResolver {
  @Reference()
  @Query(() => Lookups, { description: 'Reference lists for dropdowns.' })
  lookups() {
    return {};
  }
}

const days = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

function Page() {
  return Arg('page', () => Int, {
    defaultValue: 1,
    description:
      'Page number from 1, or -1 for the full list (BAD_USER_INPUT otherwise). A page past the end is empty.',
  });
}

/** The page number of the full list. */
const fullList = -1;

/** Whether a number is a valid page of a lookup. */
export function isPage(page: number): boolean {
  return page >= 1 || page === fullList;
}

async function pageOf(
  { locale, lookupPageSize, reference }: RequestContext,
  lookup: ReferenceBatch<Locale, (LocalizedName & { id: number })[]>,
  page: number,
): Promise<LookupEntry[]> {
  if (!isPage(page)) throw new AppError('invalid_parameter', { values: { parameter: 'page', expected: 'page' } });
  const rows = await reference.of(lookup).load(locale);
  const shown = page === fullList ? rows : rows.slice((page - 1) * lookupPageSize, page * lookupPageSize);
  return shown.map((row) => ({ key: 'id', value: String(row.id), name: localizedName(row, locale) }));
}
