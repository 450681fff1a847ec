import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { startService } from '../support/process.ts';
import { companyRows, surfaceNames, writes } from '../support/product-tag.ts';
import { openSocket, readText } from '../support/raw-http.ts';
import { createTenant } from '../support/tenant.ts';
import { copyTemplate, openDatabase, use } from '../support/test-app.ts';

/** Database time of a request, in ms. */
const databaseTime = 5_000;

const database = use(await copyTemplate());
const { db } = use(await openDatabase(database.env));
const tenant = await createTenant(db);
const { client, url } = use(await startService({ ...database.env, RATE_LIMIT: 'off' }));

test.each(surfaceNames)('%s: statements that together exceed the deadline are 503, and write nothing', async (name) => {
  const { tag } = await writes[name].create(client, { name_en: 'Spicy' }, tenant);
  const before = await companyRows(db, tenant.companyId);
  await sql`
    create function wait() returns trigger language plpgsql as $$
    begin perform pg_sleep(3); return new; end $$`.execute(db);
  await sql`create trigger wait after update on product_tags execute function wait()`.execute(db);
  await sql`create trigger wait after insert on product_taggings execute function wait()`.execute(db);
  const fields = { name_en: 'Mild', item_ids: tenant.products };
  const { codes } = await writes[name].update(client, tag?.id ?? 0, fields, tenant);
  await sql`drop function wait cascade`.execute(db);
  expect(codes).toEqual(['service_unavailable']);
  expect(await companyRows(db, tenant.companyId)).toEqual(before);
});

test('a slow body does not reduce the deadline of the database', async () => {
  const body = JSON.stringify({ name_en: 'Spicy' });
  const socket = openSocket(url);
  socket.write(`POST /partner_portal/v1/product_tags HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${tenant.token}\r\n`);
  socket.write(`Connection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`);
  await setTimeout(databaseTime + 500);
  socket.write(body);
  expect(await readText(socket)).toMatch(/^HTTP\/1\.1 201 /);
});
