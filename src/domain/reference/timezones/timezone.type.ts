import type { Selectable } from 'kysely';
import { Field, Int, ObjectType } from 'type-graphql';
import type { Timezones } from '../../tables.generated.ts';
import type { ReferenceSnapshot } from '../reference-data.ts';
import { utcOffset } from './utc-offset.ts';

@ObjectType({ simpleResolvers: true, description: 'A time zone of the IANA database.' })
export class Timezone {
  @Field(() => Int, { description: 'Id of the time zone.' })
  id!: number;

  @Field(() => String, { description: 'IANA name, such as "Asia/Riyadh".' })
  name!: string;

  @Field(() => String, {
    description: 'Offset from UTC as of now, daylight saving included: sign, hours and minutes, such as "+03:00".',
  })
  utcOffset(): string {
    return utcOffset(this.name, Date.now());
  }
}

/** Every time zone, by name. */
export async function timezoneListing({ db }: ReferenceSnapshot): Promise<Selectable<Timezones>[]> {
  const rows = await db.selectFrom('timezones').select(['id', 'name']).execute();
  // In the process: what order the database gives depends on its collation.
  return rows.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
