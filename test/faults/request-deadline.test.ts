import { once } from 'node:events';
import { type IncomingMessage, request as sendRequest } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { use } from '../support/app.ts';
import { startGateway } from '../support/gateway.ts';

/** What no request may take longer than, in ms, and what it has for the database. */
const answerLimit = 10_000;
const databaseTime = 5_000;

const gateway = use(await startGateway());

test.each([
  ['REST', putTag],
  ['GraphQL, with a body that arrives after its headers', updateTag],
])(
  'statements that are in time one by one, but not together, are 503 and leave nothing half done: %s',
  async (_name, send) => {
    const { client, db, tenant } = gateway;
    const { token, products } = tenant;
    const created = await client.rest('POST', '/product_tags', { token, body: { name_en: 'Spicy' } });
    await sql`
    create function wait() returns trigger language plpgsql as $$
    begin perform pg_sleep(3); return new; end $$`.execute(db);
    await sql`create trigger wait after update on product_tags execute function wait()`.execute(db);
    await sql`create trigger wait after insert on product_taggings execute function wait()`.execute(db);
    const start = performance.now();
    const status = await send(created.body.id, products, token);
    const ms = performance.now() - start;
    await sql`drop function wait cascade`.execute(db);
    console.log(`statements of 3 s each: ${status} after ${Math.round(ms)} ms`);

    expect(status).toBe(503);
    expect(ms).toBeLessThan(answerLimit);
    expect(
      await db.selectFrom('productTags').select(['id', 'nameEn']).where('companyId', '=', tenant.companyId).execute(),
    ).toContainEqual({ id: created.body.id, nameEn: 'Spicy' });
    expect(
      await db.selectFrom('productTaggings').select('itemId').where('companyId', '=', tenant.companyId).execute(),
    ).toEqual([]);
  },
);

test('a body that arrives slowly takes nothing of the time for the database', async () => {
  const text = JSON.stringify({ name_en: 'Spicy' });
  const request = sendRequest(`${gateway.service.url}/partner_portal/v1/product_tags`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${gateway.tenant.token}`,
      'Content-Type': 'application/json',
      'Content-Length': text.length,
    },
  });
  request.write(text.slice(0, 1));
  await setTimeout(databaseTime + 500);
  request.end(text.slice(1));
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  expect(response.statusCode).toBe(201);
});

async function putTag(id: number, itemIds: number[], token: string): Promise<number> {
  const body = { name_en: 'Mild', item_ids: itemIds };
  return (await gateway.client.rest('PUT', `/product_tags/${id}`, { token, body })).status;
}

async function updateTag(id: number, itemIds: number[], token: string): Promise<number> {
  const input = `{ nameEn: "Mild", itemIds: [${itemIds}] }`;
  const text = JSON.stringify({
    query: `mutation { updateProductTag(id: ${id}, input: ${input}) { productTag { id } } }`,
  });
  const headers = {
    Authorization: `Bearer ${token}`,
    'Content-Type': 'application/json',
    'Content-Length': text.length,
  };
  const request = sendRequest(`${gateway.service.url}/graphql`, { method: 'POST', headers });
  request.flushHeaders();
  await setTimeout(200);
  request.end(text);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode ?? 0;
}
