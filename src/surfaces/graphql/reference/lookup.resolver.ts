import { Arg, Ctx, Field, Int, ObjectType, Query, Resolver, registerEnumType } from 'type-graphql';
import { type LookupName, lookups } from '../../../domain/reference/lists.ts';
import { isPage, pageOf } from '../../../domain/reference/lookups/lookup-page.ts';
import { type Entry, weekDays } from '../../../domain/reference/lookups/week-days.ts';
import { AppError } from '../../../kernel/errors/app-error.ts';
import type { RequestContext } from '../../request/context.ts';
import { Reference } from '../types/access.ts';
import { Check, Entries } from '../types/field-rules.ts';
import { LocalizedNameField } from '../types/named-types.ts';

@ObjectType({ simpleResolvers: true, description: 'One entry of a lookup.' })
class LookupEntry {
  @Field(() => String, { description: '"id" for records, "week_day" for week days.' })
  key!: string;

  @Field(() => String, { description: 'Id of the record as a string; for week days, the lowercase English name.' })
  value!: string;

  @LocalizedNameField({
    description: 'Name in `locale`, or in the language of the request. Applications are never translated.',
  })
  name!: string;
}

const keys = Object.entries(lookups).map(([name, description]) => ({ key: name.toUpperCase(), name, description }));

/** Lookups by their GraphQL names, which REST v1 spells in lower case. */
const LookupKey = Object.fromEntries(keys.map(({ key, name }) => [key, name]));

registerEnumType(LookupKey, {
  name: 'LookupKey',
  description: 'A list for dropdowns.',
  valuesConfig: Object.fromEntries(keys.map(({ key, description }) => [key, { description }])),
});

interface LookupArgs {
  key: LookupName;
  page: number;
}

@Resolver()
export class LookupResolver {
  @Reference()
  @Entries(({ key }: LookupArgs, lengths) => lengths[key])
  @Check(requirePage)
  @Query(() => [LookupEntry], {
    description: 'The entries of a dropdown, by id. Request several lists under aliases.',
  })
  lookups(
    @Ctx() { lookupPageSize, reference }: RequestContext,
    @Arg('key', () => LookupKey, { description: 'The list.' }) key: LookupArgs['key'],
    @Arg('page', () => Int, {
      nullable: true,
      defaultValue: 1,
      description:
        'Page number from 1, or -1 for the full list (BAD_USER_INPUT otherwise). A page past the end is empty. ' +
        'WEEK_DAYS is always the full list.',
    })
    page: number,
  ): Entry[] {
    requirePage({ key, page });
    if (key === 'week_days') return weekDays;
    return pageOf(reference.lookups[key], page, lookupPageSize).map(({ id, nameEn, nameAr }) => ({
      key: 'id',
      value: String(id),
      nameEn,
      nameAr,
    }));
  }
}

/** Throws `invalid_parameter` for an invalid page of a list that has pages. */
function requirePage({ key, page }: LookupArgs): void {
  if (key !== 'week_days' && !isPage(page))
    throw new AppError('invalid_parameter', { values: { parameter: 'page', expected: 'page' } });
}
