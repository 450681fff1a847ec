import { Field, Int, ObjectType } from 'type-graphql';
import { LocalizedNameType, NamesType } from '../../request/localized-name.type.ts';

@ObjectType({
  simpleResolvers: true,
  description: 'A country of the listing. Other resources contain an EmbeddedCountry.',
})
export class Country extends LocalizedNameType {
  @Field(() => Int, { description: 'Id of the country: its ISO 3166-1 numeric code.' })
  id!: number;
}

@ObjectType({
  simpleResolvers: true,
  description: 'A country nested in another resource: no id and no localized name, see Country for those.',
})
export class EmbeddedCountry extends NamesType {
  @Field(() => String, { description: 'International dialing code with a leading plus sign, such as "+966".' })
  dialCode!: string;

  @Field(() => String, { description: 'ISO 3166-1 alpha-2 code, such as "SA".' })
  shortCode!: string;
}
