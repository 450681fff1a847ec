import { Arg, Ctx, Field, ObjectType, registerEnumType } from 'type-graphql';
import type { Locale } from '../../kernel/localization/locale.ts';
import { localizedName } from '../../kernel/localization/localized-name.ts';

/** GraphQL's names of the locales. */
enum LocaleEnum {
  EN = 'en',
  AR = 'ar',
}

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

/** The three name fields that every type named in both languages has. */
@ObjectType({ simpleResolvers: true })
export abstract class LocalizedNameType {
  @Field(() => String, { description: 'English name.' })
  nameEn!: string;

  @Field(() => String, { description: 'Arabic name.' })
  nameAr!: string;

  @Field(() => String, { description: 'Name in `locale`, or in the language of the Accept-Language header.' })
  name(@Ctx() context: { locale: Locale }, @LocaleArg() locale?: Locale | null): string {
    return localizedName(this, locale ?? context.locale);
  }
}
