import type { ItemTypeValue } from '../../partner/items/item.table.ts';

export interface DemoCompany {
  partner: string;
  company: { nameEn: string; nameAr: string; addressLine: string | null };
  cityCode: string;
  branches: { nameEn: string; nameAr: string; addressLine: string | null; cityCode: string; services: string[] }[];
  items: { itemType: ItemTypeValue; nameEn: string; nameAr: string }[];
  /** With the English names of the items that carry them. */
  tags?: { nameEn: string; nameAr: string; items: string[] }[];
}

/** The partner that the demo token is for. */
export const demoPartner = 'Demo Partner';

/** Two partners with a company each, so that what one may not do with the other's items can be tried. */
export const demoCompanies: DemoCompany[] = [
  {
    partner: demoPartner,
    company: { nameEn: 'Palm Kitchen', nameAr: 'مطبخ النخلة', addressLine: 'King Fahd Road 12' },
    cityCode: 'saruh',
    branches: [
      {
        nameEn: 'Olaya',
        nameAr: 'العليا',
        addressLine: 'Olaya Street 8',
        cityCode: 'saruh',
        services: ['dine_in', 'delivery', 'pick_up', 'curbside'],
      },
      {
        nameEn: 'Corniche',
        nameAr: 'الكورنيش',
        addressLine: 'Corniche Road 3',
        cityCode: 'sa-jeddah',
        services: ['dine_in', 'pick_up'],
      },
      { nameEn: 'Marina', nameAr: 'المارينا', addressLine: null, cityCode: 'aedxb', services: ['delivery'] },
    ],
    items: [
      { itemType: 'product', nameEn: 'Chicken Kabsa', nameAr: 'كبسة دجاج' },
      { itemType: 'product', nameEn: 'Lamb Mandi', nameAr: 'مندي لحم' },
      { itemType: 'product', nameEn: 'Lentil Soup', nameAr: 'شوربة عدس' },
      { itemType: 'product', nameEn: 'Fattoush', nameAr: 'فتوش' },
      { itemType: 'product', nameEn: 'Hummus', nameAr: 'حمص' },
      { itemType: 'product', nameEn: 'Kunafa', nameAr: 'كنافة' },
      { itemType: 'product', nameEn: 'Arabic Coffee', nameAr: 'قهوة عربية' },
      { itemType: 'product', nameEn: 'Mint Lemonade', nameAr: 'ليمون بالنعناع' },
      { itemType: 'modifier_group', nameEn: 'Size', nameAr: 'الحجم' },
      { itemType: 'modifier', nameEn: 'Large', nameAr: 'كبير' },
      { itemType: 'modifier', nameEn: 'Small', nameAr: 'صغير' },
    ],
    tags: [
      { nameEn: 'Best seller', nameAr: 'الأكثر مبيعًا', items: ['Chicken Kabsa', 'Arabic Coffee'] },
      { nameEn: 'Vegetarian', nameAr: 'نباتي', items: ['Lentil Soup', 'Fattoush', 'Hummus'] },
    ],
  },
  {
    partner: 'Demo Neighbour',
    company: { nameEn: 'Harbour Grill', nameAr: 'مشاوي الميناء', addressLine: null },
    cityCode: 'bhbah',
    branches: [
      { nameEn: 'Harbour', nameAr: 'الميناء', addressLine: null, cityCode: 'bhbah', services: ['dine_in', 'delivery'] },
    ],
    items: [
      { itemType: 'product', nameEn: 'Grilled Hamour', nameAr: 'هامور مشوي' },
      { itemType: 'product', nameEn: 'Shish Tawook', nameAr: 'شيش طاووق' },
      { itemType: 'modifier_group', nameEn: 'Sauce', nameAr: 'الصلصة' },
      { itemType: 'modifier', nameEn: 'Garlic Sauce', nameAr: 'صلصة الثوم' },
    ],
  },
];
