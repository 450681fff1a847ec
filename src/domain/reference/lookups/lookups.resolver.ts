import { Arg, Ctx, Field, FieldResolver, Int, ObjectType, Query, Resolver } from 'type-graphql';
import { AppError } from '../../../kernel/errors/app-error.ts';
import { localizedName } from '../../../kernel/localization/localized-name.ts';
import type { RequestContext } from '../../request/context.ts';
import { Reference } from '../../request/reference-access.ts';
import { applicationListing, isPage, listWeekDays, pageOf, translatedLookups } from './lookup.queries.ts';

@ObjectType({ simpleResolvers: true, description: 'One entry of a lookup.' })
class LookupEntry {
  @Field(() => String, { description: 'The literal "id" for lists of records; "week_day" for week days.' })
  key!: string;

  @Field(() => String, { description: 'The id of the record as a string; the lowercase English day for week days.' })
  value!: string;

  @Field(() => String, { description: 'Name in the language of the request. Applications are never translated.' })
  name!: string;
}

@ObjectType({
  simpleResolvers: true,
  description: 'The reference lists of dropdowns. Select the lists you want; only those are read.',
})
class Lookups {}

@Resolver(() => Lookups)
export class LookupsResolver {
  @Reference()
  @Query(() => Lookups, { description: 'The reference lists of dropdowns.' })
  lookups(): Lookups {
    return {};
  }

  @FieldResolver(() => [LookupEntry], { description: 'Brand types assignable to a brand.' })
  async brandTypes(@Ctx() context: RequestContext, @Page() page: number) {
    return listTranslatedEntries(context, 'brandTypes', page);
  }

  @FieldResolver(() => [LookupEntry], { description: 'Cuisine types assignable to a brand.' })
  async cuisineTypes(@Ctx() context: RequestContext, @Page() page: number) {
    return listTranslatedEntries(context, 'cuisineTypes', page);
  }

  @FieldResolver(() => [LookupEntry], { description: 'Services a branch can offer.' })
  async services(@Ctx() context: RequestContext, @Page() page: number) {
    return listTranslatedEntries(context, 'services', page);
  }

  @FieldResolver(() => [LookupEntry], { description: 'Partner applications of the platform; never translated.' })
  async applications(@Ctx() context: RequestContext, @Page() page: number): Promise<LookupEntry[]> {
    const applications = await context.reference.of(applicationListing);
    return selectPage(context, applications, page).map(({ id, name }) => ({ key: 'id', value: String(id), name }));
  }

  @FieldResolver(() => [LookupEntry], { description: 'The seven days of the week, from Sunday, for opening hours.' })
  weekDays(@Ctx() { locale }: RequestContext): LookupEntry[] {
    return listWeekDays(locale).map(({ value, name }) => ({ key: 'week_day', value, name }));
  }
}

function Page() {
  return Arg('page', () => Int, {
    defaultValue: 1,
    description: 'Page N, from 1; a page past the end is empty. -1 is the full list. BAD_USER_INPUT for anything else.',
  });
}

async function listTranslatedEntries(
  context: RequestContext,
  lookup: keyof typeof translatedLookups,
  page: number,
): Promise<LookupEntry[]> {
  const rows = await context.reference.of(translatedLookups[lookup]);
  return selectPage(context, rows, page).map((row) => {
    return { key: 'id', value: String(row.id), name: localizedName(row, context.locale) };
  });
}

function selectPage<Row>({ lookupPageSize }: RequestContext, rows: readonly Row[], page: number): readonly Row[] {
  if (!isPage(page)) throw new AppError('invalid_parameter', { values: { parameter: 'page', expected: 'page' } });
  return pageOf(rows, page, lookupPageSize);
}
