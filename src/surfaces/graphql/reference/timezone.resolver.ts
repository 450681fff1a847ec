import { Ctx, Field, Int, ObjectType, Query, Resolver } from 'type-graphql';
import { currentQuarter } from '../../../kernel/quarter-hour.ts';
import type { RequestContext } from '../../request/context.ts';
import { Reference } from '../types/access.ts';
import { Entries } from '../types/field-rules.ts';

@ObjectType({ simpleResolvers: true, description: 'A time zone of the IANA database.' })
class Timezone {
  @Field(() => Int, { description: 'Id of the time zone.' })
  id!: number;

  @Field(() => String, { description: 'IANA name, such as "Asia/Riyadh".' })
  name!: string;

  @Field(() => String, {
    description: 'Current offset from UTC, including daylight saving time, such as "+03:00".',
  })
  utcOffset(@Ctx() context: RequestContext): string {
    const quarter = currentQuarter();
    context.quarter ??= quarter;
    return utcOffset(this.name, quarter);
  }
}

@Resolver()
export class TimezoneResolver {
  @Reference()
  @Entries((_, { timezones }) => timezones)
  @Query(() => [Timezone], { description: 'Every IANA time zone, by name.' })
  timezones(@Ctx() { locale, reference }: RequestContext) {
    return reference.timezones.inOrder[locale];
  }
}

const offsets = new Map<string, { quarter: number; offset: string }>();

/** The current offset of an IANA time zone from UTC, cached until the quarter hour ends. */
function utcOffset(timeZone: string, quarter: number): string {
  const known = offsets.get(timeZone);
  if (known?.quarter === quarter) return known.offset;
  // "1/15/2026, GMT+03:00", and "GMT" alone for zero.
  const shown = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).format(Date.now());
  const offset = shown.split('GMT')[1] || '+00:00';
  offsets.set(timeZone, { quarter, offset });
  return offset;
}
