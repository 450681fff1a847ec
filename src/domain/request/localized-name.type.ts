import { Arg, Ctx, Field, ObjectType } from 'type-graphql';
import type { Locale } from '../../kernel/localization/locale.ts';
import { localizedName } from '../../kernel/localization/localized-name.ts';
import { LocaleEnum, localeDescription } from './locale.type.ts';

/** The three name fields that every type named in both languages has. */
@ObjectType({ simpleResolvers: true })
export abstract class LocalizedNameType {
  @Field(() => String, { description: 'English name.' })
  nameEn!: string;

  @Field(() => String, { description: 'Arabic name.' })
  nameAr!: string;

  @Field(() => String, { description: 'Name in `locale`, or in the language of the Accept-Language header.' })
  name(
    @Ctx() context: { locale: Locale },
    @Arg('locale', () => LocaleEnum, { nullable: true, description: localeDescription }) locale?: LocaleEnum | null,
  ): string {
    return localizedName(this, locale ?? context.locale);
  }
}
