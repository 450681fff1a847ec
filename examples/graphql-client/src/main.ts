import { randomUUID } from 'node:crypto';
import { DropdownsDocument, ProductsDocument } from './documents.generated.ts';
import { connect, GatewayError } from './gateway.ts';
import { listProducts } from './products.ts';
import { changeTag, createTag, RejectedError } from './tags.ts';

// Prints a message without a stack trace.
process.on('uncaughtException', ({ message, cause }) => {
  console.error(cause instanceof Error ? cause.message || message : message);
  process.exit(1);
});

const { GATEWAY_URL: url = 'http://127.0.0.1:4000', GATEWAY_TOKEN: token = '' } = process.env;
const send = connect({ url, token, language: 'ar' });

const { brandTypes, weekDays, countries } = await send(DropdownsDocument, {});
console.log(weekDays.map(({ name }) => name).join('، '));
console.log(`${brandTypes.length} brand types, ${countries.length} countries, first ${countries[0]?.name}`);

const products = [];
for await (const product of listProducts(send)) products.push(product);
const [first, second] = products;
if (first === undefined || second === undefined) throw new Error('the company needs two products');
console.log(`${products.length} products`);

const key = randomUUID();
const input = { nameEn: 'Spicy', nameAr: 'حار', itemIds: [first.id] };
const tag = await createTag(send, input, key);
const again = await createTag(send, input, key);
console.log(`created once: ${tag.id === again.id}`);

await changeTag(send, tag, ({ nameEn }) => ({ nameEn, itemIds: [first.id, second.id] }));
// The created tag is now out of date.
const renamed = await changeTag(send, tag, ({ nameEn }) => ({ nameEn: `${nameEn}!` }));
console.log(`${renamed.nameEn} on ${renamed.itemIds.length} products`);

try {
  await createTag(send, { nameEn: 'No', itemIds: [first.id, 2_000_000_000] });
} catch (error) {
  if (!(error instanceof RejectedError)) throw error;
  console.log(error.message);
}

try {
  await connect({ url, token: 'pp_none', language: 'ar' })(ProductsDocument, {});
} catch (error) {
  if (!(error instanceof GatewayError)) throw error;
  console.log(error.errors.map(({ extensions }) => extensions.code).join());
}
