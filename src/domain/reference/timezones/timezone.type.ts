import { Field, Int, ObjectType } from 'type-graphql';
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
