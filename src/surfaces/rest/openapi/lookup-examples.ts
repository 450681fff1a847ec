import type { Locale } from '../../../kernel/localization/locale.ts';

const days = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

const names: Record<Locale, { services: string[]; days: string[] }> = {
  en: {
    services: ['Dine In', 'Delivery', 'Pick Up', 'Curbside'],
    days: ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'],
  },
  ar: {
    services: ['تناول في المطعم', 'توصيل', 'استلام من الفرع', 'استلام من السيارة'],
    days: ['الأحد', 'الاثنين', 'الثلاثاء', 'الأربعاء', 'الخميس', 'الجمعة', 'السبت'],
  },
};

/** The answer to a lookup of records and one of constants. */
export function lookupsExample(locale: Locale): object {
  return {
    lookups: [
      { services: names[locale].services.map((name, index) => ({ key: 'id', value: String(index + 1), name })) },
      { week_days: names[locale].days.map((name, index) => ({ key: 'week_day', value: days[index], name })) },
    ],
  };
}
