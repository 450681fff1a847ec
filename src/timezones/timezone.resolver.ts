import { Authorized, Ctx, Query, Resolver } from 'type-graphql';
import { referenceRole } from '../auth/reference-access.ts';
import type { RequestContext } from '../request/context.ts';
import { timezoneListing } from './timezone.queries.ts';
import { Timezone } from './timezone.type.ts';

@Resolver(() => Timezone)
export class TimezoneResolver {
  @Authorized(referenceRole)
  @Query(() => [Timezone], { description: 'Every IANA time zone, by name.' })
  async timezones(@Ctx() { reference }: RequestContext) {
    return reference.of(timezoneListing);
  }
}
