import { Countries } from './cached-countries.ts';
import { connect } from './gateway.ts';
import { createTag, updateTag } from './tags.ts';

// Prints a message without a stack trace.
process.on('uncaughtException', ({ message, cause }) => {
  console.error(cause instanceof Error ? cause.message || message : message);
  process.exit(1);
});

const { GATEWAY_URL: url = 'http://127.0.0.1:4000', GATEWAY_TOKEN: token = '', ITEM_ID: item = '1' } = process.env;
const gateway = connect({ url, token, language: 'ar' });

const countries = new Countries(gateway);
const [first] = await countries.list();
await countries.list();
console.log(`first ${first?.name}`);

const tag = await createTag(gateway, { name_en: 'Spicy', name_ar: 'حار', item_ids: [Number(item)] });
console.log(`created ${tag.name} on ${tag.item_ids.length} product`);
const renamed = await updateTag(gateway, tag, { name_en: 'Very spicy' });
console.log(`renamed ${renamed?.name_en}`);
const late = await updateTag(gateway, tag, { name_en: 'Too late' });
console.log(late === undefined ? 'someone else updated it first' : 'updated');

await createTag(gateway, { name_en: 'No', item_ids: [2_000_000_000] }).catch((error: Error) =>
  console.log(error.message),
);
