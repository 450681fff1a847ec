import { Api, ContentType } from '../dist/swagger-typescript-api.js';

const { V1 = '', TOKEN = '' } = process.env;
const api = new Api({ baseUrl: V1, baseApiParams: { headers: { Authorization: `Bearer ${TOKEN}` } } });
// The client knows neither for updates.
const json = { type: ContentType.Json, format: 'json' } as const;

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
  await api.productTags.updateProductTag(id, { name_en: 'Mild', name_ar: null }, json),
  await api.productTags.patchProductTag(id, { name_en: 'Sweet', item_ids: [] }, json),
];
console.log(JSON.stringify(answers.map(({ data }) => data)));
