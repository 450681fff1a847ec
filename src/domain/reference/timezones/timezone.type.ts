import type { Selectable } from 'kysely';
import { Field, Int, ObjectType } from 'type-graphql';
import type { Timezones } from '../../tables.generated.ts';
import type { ReferenceSnapshot } from '../reference-data.ts';

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

// Zones change their offset on quarter hours only, so an offset holds until the next one.
const quarterHour = 15 * 60 * 1000;

const formats = new Map<string, Intl.DateTimeFormat>();
const known = { quarter: Number.NaN, offsets: new Map<string, string>() };

/** The offset of an IANA time zone from UTC at a time (ms since the epoch), as `+03:00`. */
function utcOffset(timeZone: string, time: number): string {
  const quarter = Math.floor(time / quarterHour);
  if (known.quarter !== quarter) {
    known.quarter = quarter;
    known.offsets.clear();
  }
  const offset = known.offsets.get(timeZone) ?? formatOffset(timeZone, time);
  known.offsets.set(timeZone, offset);
  return offset;
}

function formatOffset(timeZone: string, time: number): string {
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
    formats.set(timeZone, format);
  }
  // "GMT+03:00", and "GMT" alone for zero.
  const name = format.formatToParts(time).find((part) => part.type === 'timeZoneName')?.value ?? '';
  return name.replace('GMT', '') || '+00:00';
}
