import { createApiClient } from '../dist/openapi-zod-client.js';

const { V1 = '', TOKEN = '' } = process.env;
const client = createApiClient(V1, { axiosConfig: { headers: { Authorization: `Bearer ${TOKEN}` } } });

const created = await client.createProductTag({ name_en: 'Spicy' });
const params = { id: created.id };
const answers = [
  await client.getIndex(),
  await client.listLookups({ queries: { brand_types: -1, week_days: 1 } }),
  await client.listCountries({ headers: { 'Accept-Language': 'ar' } }),
  await client.listCities({ queries: { country_id: 682 } }),
  await client.listTimezones(),
  await client.listServices(),
  created,
  await client.updateProductTag({ name_en: 'Mild', name_ar: null }, { params }),
  await client.patchProductTag({ name_en: 'Sweet', item_ids: [] }, { params }),
];
console.log(JSON.stringify(answers));
