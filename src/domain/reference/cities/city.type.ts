import { Field, Int, ObjectType } from 'type-graphql';
import { LocalizedNameType } from '../../request/localized-name.type.ts';
import { EmbeddedCountry } from '../countries/country.type.ts';

@ObjectType({ simpleResolvers: true, description: 'A city. It belongs to exactly one country.' })
export class City extends LocalizedNameType {
  @Field(() => Int, { description: 'Id of the city.' })
  id!: number;

  @Field(() => Int, { description: 'Id of its country, as in Country.id.' })
  countryId!: number;

  @Field(() => EmbeddedCountry, { description: 'The country of the city.' })
  country!: EmbeddedCountry;
}
