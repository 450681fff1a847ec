import { Api, ContentType } from '../dist/swagger-typescript-api.js';

const { V1 = '', TOKEN = '' } = process.env;
// The client sends bodies without a type by itself.
const baseApiParams = { type: ContentType.Json, headers: { Authorization: `Bearer ${TOKEN}` } };
const api = new Api({ baseUrl: V1, baseApiParams });

const created = await api.productTags.createProductTag({ name_en: 'Spicy' });
const { id } = created.data;
const answers = [
  await api.getIndex(),
  await api.lookups.listLookups({ brand_types: -1, week_days: 1 }),
  await api.countries.listCountries({ headers: { 'Accept-Language': 'ar' } }),
  await api.cities.listCities({ country_id: 682 }),
  await api.timezones.listTimezones(),
  await api.services.listServices(),
  created,
  await api.productTags.updateProductTag(id, { name_en: 'Mild', name_ar: null }),
  await api.productTags.patchProductTag(id, { name_en: 'Sweet', item_ids: [] }),
];
console.log(JSON.stringify(answers.map(({ data }) => data)));
