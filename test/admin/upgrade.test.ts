import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { migrations } from '../../migrations/index.ts';
import { createMigrator } from '../../src/platform/database/migrate.ts';
import { createAdmin } from '../support/process.ts';
import { copyTemplate, openDatabase, startApp, use } from '../support/test-app.ts';

/** The last migration of 0.1.0, and a token whose hash is in the file. */
const last = '20261126180000_times';
const token = 'pp_4wAabMu0iVC1OCuTdlKBZHjgoK7Vg1cv2ONHRnAwqCc';

const { env } = use(await copyTemplate({ empty: true }));

async function restore(): Promise<void> {
  await using database = await openDatabase(env);
  const { db } = database;
  const { error } = await (await createMigrator(db)).migrateTo(last);
  if (error !== undefined) throw error;
  const rows = await readFile(join(import.meta.dirname, 'database-0.1.0.sql'), 'utf8');
  const tables = [...rows.matchAll(/^insert into (\w+)/gm)].map(([, table]) => table);
  const triggers = (state: string) => tables.map((table) => `alter table ${table} ${state} trigger user;`).join('\n');
  // They would count links twice, and give tags new versions.
  await sql.raw(triggers('disable') + rows + triggers('enable')).execute(db);
}

test('an upgrade from 0.1.0 keeps every row', async () => {
  await restore();
  const { list } = createAdmin(env);
  const newer = Object.keys(migrations).filter((name) => name > last);
  expect(await list('migrate')).toEqual({ migrated: newer });
  expect(await list('token', 'list')).toMatchObject([{ partner: 'Demo Partner', label: 'checkout', state: 'live' }]);

  await using app = await startApp(env);
  const { client } = app;
  const { body } = await client.graphql(
    `{ company { nameEn nameAr address { city { nameEn } } branches { nodes { nameEn services { code } } } } timezones { name }
      items(itemType: PRODUCT) { totalCount } found: items(search: "قهوه") { nodes { id createdAt updatedAt } }
      productTags(first: 5) { nodes { nameEn nameAr version itemIds createdAt updatedAt } } }`,
    {},
    { token },
  );
  expect(body).toEqual({
    data: {
      company: {
        nameEn: 'Palm Kitchen',
        nameAr: 'مطبخ النخلة',
        address: { city: { nameEn: 'Riyadh' } },
        branches: {
          nodes: [
            { nameEn: 'Olaya', services: ['dine_in', 'delivery', 'pick_up', 'curbside'].map((code) => ({ code })) },
            { nameEn: 'Corniche', services: [{ code: 'dine_in' }, { code: 'pick_up' }] },
            { nameEn: 'Marina', services: [{ code: 'delivery' }] },
          ],
        },
      },
      timezones: [{ name: 'Asia/Kolkata' }, { name: 'Asia/Riyadh' }],
      items: { totalCount: 8 },
      found: {
        nodes: [{ id: 7, createdAt: '2026-11-28T12:54:59.299Z', updatedAt: '2026-11-28T12:54:59.299Z' }],
      },
      productTags: {
        nodes: [
          {
            nameEn: 'Best seller',
            nameAr: 'الأكثر مبيعًا',
            version: '28645004-ea97-459d-9bf3-a1f2698c40d6',
            itemIds: [1, 7],
            createdAt: '2026-11-28T12:54:59.327Z',
            updatedAt: '2026-11-28T12:54:59.331Z',
          },
          expect.objectContaining({ nameEn: 'Vegetarian', itemIds: [3, 4, 5] }),
          expect.objectContaining({ nameEn: 'Café noir', itemIds: [1, 2] }),
        ],
      },
    },
  });
  const created = await client.rest('POST', '/product_tags', { token, body: { name_en: 'New', item_ids: [1] } });
  expect(created).toMatchObject({ status: 201, body: { id: 4, item_ids: [1] } });
  const updated = await client.rest('PUT', '/product_tags/1', {
    token,
    body: { name_en: 'Changed', item_ids: [7, 8] },
  });
  expect(updated).toMatchObject({ status: 200, body: { name_ar: 'الأكثر مبيعًا', item_ids: [7, 8] } });
});
