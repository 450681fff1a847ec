import { once } from 'node:events';
import { type IncomingMessage, request as sendRequest } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { startService } from '../support/process.ts';
import { companyRows } from '../support/product-tag.ts';
import { createTenant } from '../support/tenant.ts';
import { copyTemplate, openDatabase, use } from '../support/test-app.ts';

/** Database time of a request, in ms. */
const databaseTime = 5_000;

const database = use(await copyTemplate());
const { db } = use(await openDatabase(database.env));
const { token, companyId, products } = await createTenant(db);
const service = use(await startService({ ...database.env, RATE_LIMIT: 'off' }));

async function send(method: string, path: string, body: object, pause: number): Promise<number | undefined> {
  const text = JSON.stringify(body);
  const authorization = { Authorization: `Bearer ${token}` };
  const headers = { ...authorization, 'Content-Type': 'application/json', 'Content-Length': text.length };
  const request = sendRequest(service.url + path, { method, headers });
  request.flushHeaders();
  await setTimeout(pause);
  request.end(text);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response.resume().statusCode;
}

const put = (id: number) =>
  send('PUT', `/partner_portal/v1/product_tags/${id}`, { name_en: 'Mild', item_ids: products }, 0);
const update = (id: number) => {
  const input = `{ nameEn: "Mild", itemIds: [${products}] }`;
  const query = `mutation { updateProductTag(id: ${id}, input: ${input}) { productTag { id } } }`;
  return send('POST', '/graphql', { query }, 200);
};

test.each([
  ['REST', put],
  ['GraphQL, with a body that arrives after its headers', update],
])('statements that are in time one by one, but not together, are 503 and write nothing: %s', async (_name, write) => {
  const { body } = await service.client.rest('POST', '/product_tags', { token, body: { name_en: 'Spicy' } });
  const before = await companyRows(db, companyId);
  await sql`
    create function wait() returns trigger language plpgsql as $$
    begin perform pg_sleep(3); return new; end $$`.execute(db);
  await sql`create trigger wait after update on product_tags execute function wait()`.execute(db);
  await sql`create trigger wait after insert on product_taggings execute function wait()`.execute(db);
  const status = await write(body.id);
  await sql`drop function wait cascade`.execute(db);
  expect(status).toBe(503);
  expect(await companyRows(db, companyId)).toEqual(before);
});

test('a body that arrives slowly takes nothing of the time for the database', async () => {
  expect(await send('POST', '/partner_portal/v1/product_tags', { name_en: 'Spicy' }, databaseTime + 500)).toBe(201);
});
