import createClient from 'openapi-fetch';
import type { paths } from '../dist/openapi-typescript.js';

const { V1 = '', TOKEN = '' } = process.env;
const client = createClient<paths>({ baseUrl: V1, headers: { Authorization: `Bearer ${TOKEN}` } });

const created = await client.POST('/product_tags', { body: { name_en: 'Spicy' } });
const params = { path: { id: created.data?.id ?? 0 } };
const answers = [
  await client.GET('/'),
  await client.GET('/lookups', { params: { query: { brand_types: -1, week_days: 1 } } }),
  await client.GET('/countries', { params: { header: { 'Accept-Language': 'ar' } } }),
  await client.GET('/cities', { params: { query: { country_id: 682 } } }),
  await client.GET('/timezones'),
  await client.GET('/services'),
  created,
  await client.PUT('/product_tags/{id}', { params, body: { name_en: 'Mild', name_ar: null } }),
  await client.PATCH('/product_tags/{id}', { params, body: { name_en: 'Sweet', item_ids: [] } }),
];
console.log(JSON.stringify(answers.map(({ data }) => data)));
