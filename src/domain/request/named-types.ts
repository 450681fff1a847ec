import { Arg, Ctx, Field, ObjectType, registerEnumType } from 'type-graphql';
import type { Locale } from '../../kernel/localization/locale.ts';
import { localizedName } from '../../kernel/localization/localized-name.ts';

/** GraphQL's names of the locales. */
const LocaleEnum = { EN: 'en', AR: 'ar' };

registerEnumType(LocaleEnum, {
  name: 'Locale',
  description: 'A language of the service. Default: that of the Accept-Language header, or else English.',
  valuesConfig: { EN: { description: 'English' }, AR: { description: 'Arabic' } },
});

/** Resolver parameter: the language of a name. */
export function LocaleArg() {
  return Arg('locale', () => LocaleEnum, {
    nullable: true,
    description: 'Language of the name. Default: that of the request.',
  });
}

/** The names of every type that is named in both languages. */
@ObjectType({ simpleResolvers: true })
export abstract class NamesType {
  @Field(() => String, { description: 'English name.' })
  nameEn!: string;

  @Field(() => String, { description: 'Arabic name.' })
  nameAr!: string;
}

/** The same, with the one in the language of the request. */
@ObjectType({ simpleResolvers: true })
export abstract class LocalizedNameType extends NamesType {
  @Field(() => String, { description: 'Name in `locale`, or in the language of the Accept-Language header.' })
  name(@Ctx() context: { locale: Locale }, @LocaleArg() locale?: Locale | null): string {
    return localizedName(this, locale ?? context.locale);
  }
}
