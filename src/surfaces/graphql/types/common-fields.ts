import { Arg, Field, ObjectType, registerEnumType } from 'type-graphql';
import type { Batch, Times } from '../../../domain/lists/batches.ts';
import { type Locale, type LocalizedName, localizedName } from '../../../kernel/localization/locale.ts';
import type { RequestContext } from '../../request/context.ts';
import { DateTime } from './date-time.ts';
import { Rules } from './field-rules.ts';

const LocaleEnum = { EN: 'en', AR: 'ar' };

registerEnumType(LocaleEnum, {
  name: 'Locale',
  description: 'A language of the service. Default: the Accept-Language header, or else English.',
  valuesConfig: { EN: { description: 'English' }, AR: { description: 'Arabic' } },
});

/** Declares `name(locale:)`. */
export function LocalizedNameField(options: { description: string; nullable?: boolean }): PropertyDecorator {
  const declareLocale = Arg('locale', () => LocaleEnum, {
    nullable: true,
    description: 'Language of the name. Default: the language of the request.',
  });
  return (target, property) => {
    Field(() => String, options)(target, property);
    declareLocale(target, property, 0);
    Rules({ resolve: resolveName })(target, property as string);
  };
}

function resolveName(
  row: LocalizedName<string | null>,
  { locale }: { locale?: Locale | null },
  context: RequestContext,
) {
  return localizedName(row, locale ?? context.locale);
}

/** Declares a timestamp, which is loaded if it is selected and the row lacks it. */
export function TimeField(batch: Batch<number, Times>, description: string) {
  return (target: object, property: keyof Times): void => {
    Field(() => DateTime, { description })(target, property);
    Rules({
      resolve: async (row: { id: number } & Partial<Times>, _args, { loaders }) =>
        row[property] ?? (await loaders.of(batch).load(row.id))[property],
    })(target, property);
  };
}

@ObjectType({ simpleResolvers: true })
export abstract class NamesType {
  @Field(() => String, { description: 'English name.' })
  nameEn!: string;

  @Field(() => String, { description: 'Arabic name.' })
  nameAr!: string;
}

@ObjectType({ simpleResolvers: true })
export abstract class LocalizedNameType extends NamesType {
  @LocalizedNameField({ description: 'Name in `locale`, or in the language of the Accept-Language header.' })
  name!: string;
}
