import { registerEnumType } from 'type-graphql';

/** GraphQL's names of the locales. */
export enum LocaleEnum {
  EN = 'en',
  AR = 'ar',
}

registerEnumType(LocaleEnum, {
  name: 'Locale',
  description:
    'A language of the service. Where none is given, the Accept-Language header decides, English by default.',
  valuesConfig: { EN: { description: 'English' }, AR: { description: 'Arabic' } },
});

/** Describes the argument of names. */
export const localeDescription = 'The language of the name, whatever the Accept-Language header says.';
