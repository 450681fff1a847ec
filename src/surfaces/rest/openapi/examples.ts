import type { ExampleObject } from 'openapi3-ts/oas31';
import type { Locale } from '../../../kernel/localization/locale.ts';
import { lookupsExample } from './lookup-examples.ts';

/** A request, and the answer that the demo partner gets to it; to one after the other of the list. */
export interface Example {
  operation: string;
  locale: Locale;
  /** What is asked for, below the path of v1. */
  target: string;
  body?: Record<string, unknown>;
  answer: object;
  /** Of a longer list, only so many entries are shown. */
  first?: number;
}

const bahrain = { name_en: 'Bahrain', name_ar: 'البحرين', dial_code: '+973', short_code: 'BH' };
const spicy = { name_en: 'Spicy', name_ar: 'حار جدا', item_ids: [1, 2] };
const sweet = { name_en: 'Sweet', name_ar: 'حلو المذاق', item_ids: [] };

/** Real answers, each in both languages. */
export const examples: readonly Example[] = [
  ...both('listLookups', '/lookups?services=1&week_days=1', { en: lookupsExample('en'), ar: lookupsExample('ar') }),
  ...both(
    'listCountries',
    '/countries',
    {
      en: {
        countries: [
          { id: 682, name_en: 'Saudi Arabia', name_ar: 'المملكة العربية السعودية', name: 'Saudi Arabia' },
          { id: 4, name_en: 'Afghanistan', name_ar: 'أفغانستان', name: 'Afghanistan' },
        ],
      },
      ar: {
        countries: [
          { id: 682, name_en: 'Saudi Arabia', name_ar: 'المملكة العربية السعودية', name: 'المملكة العربية السعودية' },
          { id: 352, name_en: 'Iceland', name_ar: 'آيسلندا', name: 'آيسلندا' },
        ],
      },
    },
    2,
  ),
  ...both(
    'listCities',
    '/cities?country_id=48',
    {
      en: {
        cities: [
          { id: 68, name_en: 'Aali', name_ar: 'عالي', name: 'Aali', country_id: 48, country: bahrain },
          { id: 69, name_en: 'Al Hidd', name_ar: 'الحد', name: 'Al Hidd', country_id: 48, country: bahrain },
        ],
      },
      ar: {
        cities: [
          { id: 70, name_en: 'Budaiya', name_ar: 'البديع', name: 'البديع', country_id: 48, country: bahrain },
          { id: 69, name_en: 'Al Hidd', name_ar: 'الحد', name: 'الحد', country_id: 48, country: bahrain },
        ],
      },
    },
    2,
  ),
  ...both(
    'listTimezones',
    '/timezones',
    same({
      timezones: [
        { id: 1, name: 'Africa/Abidjan', utc_offset: '+00:00' },
        { id: 2, name: 'Africa/Accra', utc_offset: '+00:00' },
        { id: 3, name: 'Africa/Addis_Ababa', utc_offset: '+03:00' },
      ],
    }),
    3,
  ),
  ...both(
    'listServices',
    '/services',
    {
      en: {
        services: [
          { id: 1, code: 'dine_in', name_en: 'Dine In', name_ar: 'تناول في المطعم', name: 'Dine In' },
          { id: 2, code: 'delivery', name_en: 'Delivery', name_ar: 'توصيل', name: 'Delivery' },
        ],
      },
      ar: {
        services: [
          { id: 1, code: 'dine_in', name_en: 'Dine In', name_ar: 'تناول في المطعم', name: 'تناول في المطعم' },
          { id: 2, code: 'delivery', name_en: 'Delivery', name_ar: 'توصيل', name: 'توصيل' },
        ],
      },
    },
    2,
  ),
  write('createProductTag', 'en', '/product_tags', spicy, { id: 1, ...spicy, name: 'Spicy' }),
  write('createProductTag', 'ar', '/product_tags', sweet, { id: 2, ...sweet, name: 'حلو المذاق' }),
  write(
    'updateProductTag',
    'en',
    '/product_tags/1',
    { name_en: 'Very spicy', item_ids: [2, 3] },
    {
      id: 1,
      name_en: 'Very spicy',
      name_ar: 'حار جدا',
      name: 'Very spicy',
      item_ids: [2, 3],
    },
  ),
  write(
    'updateProductTag',
    'ar',
    '/product_tags/1',
    { name_en: 'Very spicy', name_ar: null },
    {
      id: 1,
      name_en: 'Very spicy',
      name_ar: null,
      name: null,
      item_ids: [2, 3],
    },
  ),
];

/** The examples of what an operation answers. */
export function answerExamples(operation: string): Record<string, ExampleObject> {
  return examplesOf(operation, ({ locale, target, first, answer }) => {
    const language = locale === 'ar' ? 'in Arabic' : 'in English';
    return { summary: `${target} ${language}${first === undefined ? '' : `, the first ${first}`}`, value: answer };
  });
}

/** The examples of what an operation takes. */
export function bodyExamples(operation: string): Record<string, ExampleObject> {
  return examplesOf(operation, ({ target, body }) => ({ summary: `for ${target}`, value: body }));
}

function examplesOf(operation: string, show: (example: Example) => ExampleObject): Record<string, ExampleObject> {
  const own = examples.filter((example) => example.operation === operation);
  return Object.fromEntries(own.map((example) => [example.locale, show(example)]));
}

function both(operation: string, target: string, answers: Record<Locale, object>, first?: number): Example[] {
  const example = { operation, target, ...(first !== undefined && { first }) };
  return (['en', 'ar'] as const).map((locale) => ({ ...example, locale, answer: answers[locale] }));
}

function write(
  operation: string,
  locale: Locale,
  target: string,
  body: Record<string, unknown>,
  answer: object,
): Example {
  return { operation, locale, target, body, answer };
}

function same(answer: object): Record<Locale, object> {
  return { en: answer, ar: answer };
}
