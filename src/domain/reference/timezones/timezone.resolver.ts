import { Ctx, Query, Resolver } from 'type-graphql';
import type { RequestContext } from '../../request/context.ts';
import { Reference } from '../../request/reference-access.ts';
import { timezoneListing } from './timezone.queries.ts';
import { Timezone } from './timezone.type.ts';

@Resolver(() => Timezone)
export class TimezoneResolver {
  @Reference()
  @Query(() => [Timezone], { description: 'Every IANA time zone, by name.' })
  async timezones(@Ctx() { reference }: RequestContext) {
    return reference.of(timezoneListing);
  }
}
