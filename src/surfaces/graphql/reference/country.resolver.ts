import { Ctx, Field, Int, ObjectType, Query, Resolver } from 'type-graphql';
import type { RequestContext } from '../../request/context.ts';
import { Reference } from '../types/access.ts';
import { Entries } from '../types/field-rules.ts';
import { LocalizedNameType, NamesType } from '../types/named-types.ts';

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
  description: 'A country within another type. It has no id and no localized name; Country has both.',
})
export class EmbeddedCountry extends NamesType {
  @Field(() => String, { description: 'International dialing code with a leading plus sign, such as "+966".' })
  dialCode!: string;

  @Field(() => String, { description: 'ISO 3166-1 alpha-2 code, such as "SA".' })
  shortCode!: string;
}

@Resolver()
export class CountryResolver {
  @Reference()
  @Entries((_, { countries }) => countries)
  @Query(() => [Country], {
    description: 'Every country: Saudi Arabia first, then by name in the language of the request.',
  })
  countries(@Ctx() { locale, reference }: RequestContext) {
    return reference.countries.inOrder[locale];
  }
}
