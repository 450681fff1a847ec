import {
  createProductTag,
  defaults,
  getIndex,
  listCities,
  listCountries,
  listLookups,
  listServices,
  listTimezones,
  patchProductTag,
  updateProductTag,
} from '../dist/oazapfts.js';

const { V1 = '', TOKEN = '' } = process.env;
defaults.baseUrl = V1;
defaults.headers = { Authorization: `Bearer ${TOKEN}` };

const created = await createProductTag({ name_en: 'Spicy' });
const id = created.status === 201 ? created.data.id : 0;
const answers = [
  await getIndex(),
  await listLookups({ brandTypes: -1, weekDays: 1 }),
  await listCountries({ acceptLanguage: 'ar' }),
  await listCities({ countryId: 682 }),
  await listTimezones(),
  await listServices(),
  created,
  await updateProductTag(id, { name_en: 'Mild', name_ar: null }),
  await patchProductTag(id, { name_en: 'Sweet', item_ids: [] }),
];
console.log(JSON.stringify(answers.map((answer) => ('data' in answer ? answer.data : undefined))));
