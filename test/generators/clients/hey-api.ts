import { client } from '../dist/hey-api/client.gen.js';
import {
  createProductTag,
  getIndex,
  listCities,
  listCountries,
  listLookups,
  listServices,
  listTimezones,
  patchProductTag,
  updateProductTag,
} from '../dist/hey-api/sdk.gen.js';

const { V1 = '', TOKEN = '' } = process.env;
client.setConfig({ baseUrl: V1, auth: TOKEN });

const created = await createProductTag({ body: { name_en: 'Spicy' } });
const path = { id: created.data?.id ?? 0 };
const answers = [
  await getIndex(),
  await listLookups({ query: { brand_types: -1, week_days: 1 } }),
  await listCountries({ headers: { 'Accept-Language': 'ar' } }),
  await listCities({ query: { country_id: 682 } }),
  await listTimezones(),
  await listServices(),
  created,
  await updateProductTag({ path, body: { name_en: 'Mild', name_ar: null } }),
  await patchProductTag({ path, body: { name_en: 'Sweet', item_ids: [] } }),
];
console.log(JSON.stringify(answers.map(({ data }) => data)));
