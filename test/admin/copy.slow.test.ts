import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { envToConfig } from '../../src/app/config.ts';
import { createGateway } from '../../src/app/gateway.ts';
import { issueToken } from '../../src/domain/partner/tokens/issue-token.ts';
import { demoPartner } from '../../src/domain/reference/seed/demo-data.ts';
import type { Database } from '../../src/domain/tables.ts';
import { execute } from '../support/postgres-server.ts';
import { adminOf, expectRefusal } from '../support/process.ts';
import { createTenant } from '../support/tenant.ts';
import { copyEmbedded, copyTemplate, startApp, useFolder } from '../support/test-app.ts';

const folder = await useFolder();

test('an embedded database is copied once, to an empty database or one without partners', async () => {
  const dataDir = join(folder, 'data');
  await copyEmbedded(dataDir);
  const embedded = createGateway(envToConfig({ PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'silent' }));
  const { db } = await embedded.start();
  // The links of its tag are copied in two batches; the second one changes the tag.
  const source = await createTenant(db, { products: 5_001 });
  const { companyId, products } = source;
  const tag = { companyId, nameEn: 'Copied', nameAr: null };
  const { id } = await db.insertInto('productTags').values(tag).returning('id').executeTakeFirstOrThrow();
  const links = products.map((itemId) => ({ companyId, productTagId: id, itemId }));
  await db.insertInto('productTaggings').values(links).execute();
  const own = { companyId: source.companyId, partnerId: source.partnerId };
  await db
    .insertInto('idempotencyKeys')
    .values({ ...own, key: 'k', requestHash: 'a'.repeat(64), answer: '{"a": 1}' })
    .execute();
  await issueToken(db, demoPartner, { days: null });
  const versions = await versionsAndTimes(db);
  await embedded.stop();
  const onSource = adminOf({ DATA_DIR: dataDir });
  await onSource.print('reference', 'set', 'applications', '--id', '7001', '--name', 'Own');
  await onSource.print('reference', 'retire', 'applications', '1');

  await using target = await copyTemplate();
  const url = target.env.DATABASE_URL as string;
  const { run, list } = adminOf(target.env);
  const copy = ['copy', '--from', dataDir, '--to', url];
  expectRefusal(await run('copy', '--from', folder, '--to', url), /is not a data folder/);
  expectRefusal(await run(...copy), /^The target has companies/);
  const unreachable = await run('copy', '--from', dataDir, '--to', 'postgres://127.0.0.1:1/gateway');
  expectRefusal(unreachable, /^The database of --to cannot be used/);

  // A database without tables is migrated first.
  await execute(url, 'drop schema public cascade; create schema public');
  const { copied, ...others } = await list(...copy);
  expect(copied).toMatchObject({ countries: 249, partners: 1, partner_tokens: 1, idempotency_keys: 1, admin_log: 2 });
  expect(others).toEqual({});
  const tables = await execute<{ name: string }>(
    url,
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_name not like 'kysely%'`,
  );
  const names = tables.rows.map(({ name }) => name).filter((name) => name !== 'reference_version');
  expect(Object.keys(copied).toSorted(), 'A new table is copied too').toEqual(names.toSorted());
  await using served = await startApp(target.env);
  expect(await versionsAndTimes(served.db)).toEqual(versions);
  const { body } = await served.client.graphql('{ partner { name } }', {}, { token: source.token });
  expect(body.data?.partner.name).toBe(source.partnerName);
  const first = { body: { name_en: 'First' }, token: source.token };
  expect((await served.client.rest('POST', '/product_tags', first)).status).toBe(201);
  const log = await list('log');
  expect(log[0]).toMatchObject({ command: 'copy', details: { options: { from: dataDir } } });
  expect(JSON.stringify(log)).not.toContain('postgres:');
  expectRefusal(await run(...copy), /^The target has companies/);

  await sql`truncate partners, companies cascade`.execute(served.db);
  await sql`update applications set name = 'Replaced' where id = 2`.execute(served.db);
  const all = await list(...copy, '--with-demo');
  expect(all.copied).toMatchObject({ partners: 3, partner_tokens: 2 });
  const applications = await served.db.selectFrom('applications').select(['id', 'name']).orderBy('id').execute();
  expect(applications.map(({ id }) => id)).toEqual([2, 3, 4, 5, 6, 7, 8, 7001]);
  expect(applications.map(({ name }) => name)).not.toContain('Replaced');
});

/** What triggers write to items and tags, which the copy keeps. */
async function versionsAndTimes(db: Database) {
  const { rows } = await sql<{ companyId: number }>`
    select company_id, id, null as version, created_at::text, updated_at::text from items
    union all select company_id, id, version, created_at::text, updated_at::text from product_tags
    order by company_id, id, version nulls first`.execute(db);
  return rows;
}
