import { Arg, Ctx, Field, Int, ObjectType, Query, Resolver, registerEnumType } from 'type-graphql';
import { type LookupName, lookups } from '../../domain/reference/lists.ts';
import { type Entry, isPage, slicePage, weekDays } from '../../domain/reference/lookups.ts';
import { findTimezone } from '../../domain/reference/reference-lists.ts';
import { AppError } from '../../kernel/errors/app-error.ts';
import { currentQuarterHour } from '../../kernel/quarter-hour.ts';
import type { RequestContext } from '../request/context.ts';
import { Reference } from './types/access.ts';
import { LocalizedNameField, LocalizedNameType, NamesType } from './types/common-fields.ts';
import { MethodField, Rules } from './types/field-rules.ts';

@ObjectType({ simpleResolvers: true, description: 'One entry of a lookup.' })
class LookupEntry {
  @Field(() => String, {
    description:
      'What `value` is: "id", or "week_day" for week days. As in REST v1; most programs need only `value` and `name`.',
  })
  key!: string;

  @Field(() => String, { description: 'Id of the record as a string; for week days, the lowercase English name.' })
  value!: string;

  @LocalizedNameField({
    description: 'Name in `locale`, or in the language of the request. Applications are never translated.',
  })
  name!: string;
}

const lookupKeys = Object.entries(lookups).map(([name, description]) => ({
  key: name.toUpperCase(),
  name,
  description,
}));

const LookupKey = Object.fromEntries(lookupKeys.map(({ key, name }) => [key, name]));

registerEnumType(LookupKey, {
  name: 'LookupKey',
  description: 'A list for dropdowns.',
  valuesConfig: Object.fromEntries(lookupKeys.map(({ key, description }) => [key, { description }])),
});

interface LookupArgs {
  key: LookupName;
  page?: number | null;
}

@ObjectType({
  simpleResolvers: true,
  description: 'A country as listed by `countries`. Other types contain an EmbeddedCountry.',
})
class Country extends LocalizedNameType {
  @Field(() => Int, { description: 'Id of the country: its ISO 3166-1 numeric code.' })
  id!: number;
}

@ObjectType({
  simpleResolvers: true,
  description: 'A country within another type, without the id and localized name of Country.',
})
export class EmbeddedCountry extends NamesType {
  @Field(() => String, { description: 'International dialing code with a leading plus sign, such as "+966".' })
  dialCode!: string;

  @Field(() => String, { description: 'ISO 3166-1 alpha-2 code, such as "SA".' })
  shortCode!: string;
}

@ObjectType({ simpleResolvers: true, description: 'A city. It belongs to exactly one country.' })
export class City extends LocalizedNameType {
  @Field(() => Int, { description: 'Id of the city.' })
  id!: number;

  @Field(() => Int, { description: 'Id of its country, as in Country.id.' })
  countryId!: number;

  @MethodField(() => EmbeddedCountry, { description: 'The country of the city.' })
  country(_args: object, { reference }: RequestContext) {
    return reference.countries.byId.get(this.countryId);
  }
}

@ObjectType({ simpleResolvers: true, description: 'A time zone of the IANA database.' })
class Timezone {
  @Field(() => Int, { description: 'Id of the time zone.' })
  id!: number;

  @Field(() => String, { description: 'IANA name, such as "Asia/Riyadh".' })
  name!: string;

  @MethodField(() => String, {
    description: 'Current offset from UTC, including daylight saving time, such as "+03:00".',
  })
  utcOffset(_args: object, context: RequestContext): string {
    context.quarterHour ??= currentQuarterHour();
    return formatUtcOffset(this.name, context.quarterHour);
  }
}

@ObjectType({ simpleResolvers: true, description: 'A service that a branch can offer.' })
export class Service extends LocalizedNameType {
  @Field(() => Int, { description: 'Id of the service; the `value` of its lookup entry.' })
  id!: number;

  @Field(() => String, { description: 'Code of the service: "dine_in", "delivery", "pick_up" or "curbside".' })
  code!: string;
}

@Resolver()
export class ReferenceResolver {
  @Reference()
  @Rules<LookupArgs>({ length: ({ args, lengths }) => lengths[args.key], check: requirePage })
  @Query(() => [LookupEntry], {
    description: 'The entries of a dropdown, by id. Use aliases to request several lists.',
  })
  lookups(
    @Ctx() { lookupPageSize, reference }: RequestContext,
    @Arg('key', () => LookupKey, { description: 'The list.' }) key: LookupArgs['key'],
    @Arg('page', () => Int, {
      nullable: true,
      description:
        'Page number from 1, with 25 entries each (BAD_USER_INPUT for 0 and below -1). Absent or -1: the full list, as ' +
        'always for WEEK_DAYS.',
    })
    page?: LookupArgs['page'],
  ): Entry[] {
    if (key === 'week_days') return weekDays;
    return slicePage(reference.lookups[key], page, lookupPageSize).map(({ id, nameEn, nameAr }) => ({
      key: 'id',
      value: String(id),
      nameEn,
      nameAr,
    }));
  }

  @Reference()
  @Rules({ length: ({ lengths }) => lengths.countries })
  @Query(() => [Country], {
    description: 'Every country: Saudi Arabia first, then by name in the language of the request.',
  })
  countries(@Ctx() { locale, reference }: RequestContext) {
    return reference.countries.inOrder[locale];
  }

  @Reference()
  @Rules({ length: ({ lengths }) => lengths.cities })
  @Query(() => [City], {
    description: 'All cities, or the cities of one country, by name in the language of the request.',
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

  @Reference()
  @Rules({ length: ({ lengths }) => lengths.timezones })
  @Query(() => [Timezone], { description: 'Every IANA time zone, by name.' })
  timezones(@Ctx() { locale, reference }: RequestContext) {
    return reference.timezones.inOrder[locale];
  }

  @Reference()
  // Comparing names takes as long as ten fields.
  @Rules({ cost: 10 })
  @Query(() => Timezone, {
    nullable: true,
    description:
      'The time zone with this name or alias: "Asia/Calcutta", as browsers report it, finds "Asia/Kolkata". Null for ' +
      'unknown names, and for fixed offsets such as "Etc/GMT-3".',
  })
  timezone(
    @Ctx() { reference }: RequestContext,
    @Arg('name', () => String, { description: 'A name of the IANA database, such as "Asia/Riyadh".' }) name: string,
  ) {
    return findTimezone(reference, name) ?? null;
  }

  @Reference()
  @Rules({ length: ({ lengths }) => lengths.services })
  @Query(() => [Service], { description: 'Every service that a branch can offer, by id.' })
  services(@Ctx() { locale, reference }: RequestContext) {
    return reference.services.inOrder[locale];
  }
}

function requirePage({ key, page }: LookupArgs): void {
  if (key !== 'week_days' && page != null && !isPage(page))
    throw new AppError('invalid_parameter', { values: { parameter: 'page', expected: 'page' } });
}

const offsets = new Map<string, { quarterHour: number; offset: string }>();

function formatUtcOffset(timeZone: string, quarterHour: number): string {
  const cached = offsets.get(timeZone);
  if (cached?.quarterHour === quarterHour) return cached.offset;
  // "1/15/2026, GMT+03:00", and "GMT" alone for zero.
  const formatted = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).format(quarterHour);
  const offset = formatted.split('GMT')[1] || '+00:00';
  offsets.set(timeZone, { quarterHour, offset });
  return offset;
}
