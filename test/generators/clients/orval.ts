import axios from 'axios';
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
} from '../dist/orval.js';

const { V1 = '', TOKEN = '' } = process.env;
axios.defaults.baseURL = V1;
axios.defaults.headers.common.Authorization = `Bearer ${TOKEN}`;

const created = await createProductTag({ name_en: 'Spicy' });
const { id } = created.data;
const answers = [
  await getIndex(),
  await listLookups({ brand_types: -1, week_days: 1 }),
  await listCountries({ headers: { 'Accept-Language': 'ar' } }),
  await listCities({ country_id: 682 }),
  await listTimezones(),
  await listServices(),
  created,
  await updateProductTag(id, { name_en: 'Mild', name_ar: null }),
  await patchProductTag(id, { name_en: 'Sweet', item_ids: [] }),
];
console.log(JSON.stringify(answers.map(({ data }) => data)));
