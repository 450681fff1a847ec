import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createApp } from '../../src/app/app.ts';
import { envToConfig } from '../../src/app/config.ts';
import { copiedTables } from '../../src/domain/copy.ts';
import { issueToken } from '../../src/domain/partner/tokens/token.service.ts';
import { demoPartner } from '../../src/domain/reference/seed/demo-data.ts';
import { adminOf, expectRefusal } from '../support/process.ts';
import { createTenant, insertItems } from '../support/tenant.ts';
import { copyTemplate, startApp, use, useFolder } from '../support/test-app.ts';

const database = use(await copyTemplate());
const app = use(await startApp(database.env));
const tenant = await createTenant(app.db);
const folder = await useFolder();

const { run, print, list } = adminOf(database.env);
const company = String(tenant.companyId);

async function importTags(content: string, ...options: string[]) {
  const file = join(folder, 'tags');
  await writeFile(file, content);
  return run('tag', 'import', file, '--company', company, ...options);
}

const listTags = () => list('tag', 'list', '--company', company);

test('tags keep their ids, new ones come after them, and exports are imported elsewhere', async () => {
  const [a = 0, b = 0] = tenant.products;
  const content = `id,name_en,name_ar,item_ids\n500000,Spicy,حار جدا,${b};${a};${b}\n400000,Mild,,\n`;
  expect(await importTags(content)).toEqual({
    code: 0,
    stdout: '2 added, 0 changed, 0 unchanged, 2 links\n',
    stderr: '',
  });
  const tags = [
    { id: 400_000, name_en: 'Mild', name_ar: null, item_ids: [] },
    { id: 500_000, name_en: 'Spicy', name_ar: 'حار جدا', item_ids: [a, b] },
  ];
  expect(await listTags()).toMatchObject(tags);
  const { body } = await app.client.rest('POST', '/product_tags', { body: { name_en: 'Next' }, token: tenant.token });
  expect(body.id).toBe(500_001);
  const updated = await app.client.rest('PUT', '/product_tags/500000', {
    body: { name_en: 'Hot dish', item_ids: [b] },
    token: tenant.token,
  });
  expect(updated.body).toMatchObject({ id: 500_000, item_ids: [b] });

  for (const options of [[], ['--json']]) {
    const exported = await print('tag', 'export', '--company', company, ...options);
    await sql`delete from product_tags where company_id = ${tenant.companyId}`.execute(app.db);
    expect(await importTags(exported)).toEqual({
      code: 0,
      stderr: '',
      stdout: '3 added, 0 changed, 0 unchanged, 1 links\n',
    });
  }
  expect(await listTags()).toHaveLength(3);
});

test('a dry run writes nothing and locks nothing: it waits for no other writer', async () => {
  const [a = 0] = tenant.products;
  const file = join(folder, 'dry.csv');
  await writeFile(file, `id,item_type,name_en,name_ar\n${a},product,Other,آخر\n,modifier,New,جديد\n`);
  await app.db.transaction().execute(async (transaction) => {
    await sql`lock table items, product_tags in share row exclusive mode`.execute(transaction);
    const tags = await importTags(`id,name_en,name_ar,item_ids\n600000,Spicy,,${a}\n`, '--dry-run');
    expect(tags.stdout).toBe('Nothing was written. It would be:\n1 added, 0 changed, 0 unchanged, 1 links\n');
    const items = await print('item', 'import', file, '--company', company, '--update', '--dry-run');
    expect(items).toContain('1 added, 1 changed, 0 unchanged');
  });
});

test('tags with mistakes are rejected with their lines, and none is imported', async () => {
  const before = await listTags();
  const [a = 0] = tenant.products;
  const other = await createTenant(app.db);
  const tags = [
    { id: 1_000, name_en: 'ab', name_ar: null, item_ids: [a] },
    { id: 1_001, name_en: 'Name', name_ar: null, item_ids: [a, 999_999_999, other.products[0]] },
    { id: 1_001, name_en: 'Name', name_ar: 'اسم', item_ids: [tenant.modifier] },
    { id: 500_000, name_en: 'Name', name_ar: null, item_ids: ['x'] },
    { id: 400_000, name_en: 'Name', name_ar: null, item_ids: [a] },
  ];
  const run = await importTags(tags.map((tag) => JSON.stringify(tag)).join('\n'));
  expectRefusal(run, /Nothing was changed/);
  expect(run.stderr.split('\n').slice(0, -2)).toEqual([
    expect.stringContaining('line 1, name_en: must have 3 to 50'),
    `line 2, item_ids: not items of the company: ${other.products[0]}, 999999999`,
    'line 3, id: 1001 is on line 2 already',
    `line 3, item_ids: only products can be tagged. Not products: ${tenant.modifier}`,
    expect.stringContaining('line 4, item_ids: must be text, a number or a list'),
    'line 5, id: 400000 is a tag already; --update changes existing rows',
  ]);
  expect(await listTags()).toEqual(before);
});

test('items are exported as they are imported', async () => {
  const other = await print('company', 'create', '--name-en', 'C', '--name-ar', 'ش', '--city', 'saruh');
  const file = join(folder, 'items.csv');
  await print('item', 'export', file, '--company', company);
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const [piped] = await Promise.all([readFile(pipe), print('item', 'export', pipe, '--company', company)]);
  expect(piped).toEqual(await readFile(file));
  await sql`delete from items where company_id = ${tenant.companyId} and item_type = 'modifier'`.execute(app.db);
  expectRefusal(await run('item', 'import', file, '--company', other), /is an item of another company/);
  const counts = await list('item', 'import', file, '--company', company, '--update');
  expect(counts).toEqual({ added: 1, changed: 0, unchanged: 6 });
});

test('many tags with many links', async () => {
  const products = await insertItems(app.db, tenant.companyId, 'product', 1_000);
  const rows = Array.from({ length: 6_000 }, (_, tag) => {
    const items = Array.from({ length: 10 }, (_, item) => products[(tag + item * 97) % products.length]);
    return `${2_000_000 + tag},Tag ${tag},وسم ${tag},${items.join(';')}`;
  });
  const { code, stdout } = await importTags(['id,name_en,name_ar,item_ids', ...rows].join('\n'));
  expect({ code, stdout }).toEqual({ code: 0, stdout: '6000 added, 0 changed, 0 unchanged, 60000 links\n' });
  expect(await listTags()).toHaveLength(6_003);
});

test('an embedded database is copied with its tokens and keys, once', async () => {
  const dataDir = join(folder, 'data');
  const embedded = createApp(envToConfig({ PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'silent' }));
  const { db } = await embedded.start();
  const source = await createTenant(db);
  const own = { companyId: source.companyId, partnerId: source.partnerId };
  await db
    .insertInto('idempotencyKeys')
    .values({ ...own, key: 'k', requestHash: 'a'.repeat(64), answer: '{"a": 1}' })
    .execute();
  await issueToken(db, demoPartner, { days: null });
  await embedded.stop();
  const onSource = adminOf({ DATA_DIR: dataDir });
  await onSource.print('reference', 'set', 'applications', '--id', '7001', '--name', 'Own');
  await onSource.print('reference', 'retire', 'applications', '1');

  await using target = await copyTemplate();
  const url = target.env.DATABASE_URL as string;
  const copy = ['copy', '--from', dataDir, '--to', url];
  expectRefusal(await run('copy', '--from', folder, '--to', url), /is not a data folder/);
  expectRefusal(await run(...copy), /^The target has companies/);
  const unreachable = await run('copy', '--from', dataDir, '--to', 'postgres://127.0.0.1:1/gateway');
  expectRefusal(unreachable, /^The database of --to cannot be used/);
  await using served = await startApp(target.env);
  await sql`truncate partners, companies cascade`.execute(served.db);
  const { copied, ...others } = await list(...copy);
  expect(copied).toMatchObject({ countries: 249, partners: 1, partner_tokens: 1, idempotency_keys: 1, admin_log: 2 });
  expect(others).toEqual({});

  const { body } = await served.client.graphql('{ viewer { partner { name } } }', {}, { token: source.token });
  expect(body.data?.viewer.partner.name).toBe(source.partnerName);
  const first = { body: { name_en: 'First' }, token: source.token };
  const created = await served.client.rest('POST', '/product_tags', first);
  expect(created.status).toBe(201);
  expect(await served.db.selectFrom('applications').select('id').where('id', 'in', [1, 7001]).execute()).toEqual([
    { id: 7001 },
  ]);
  const log = await adminOf(target.env).list('log');
  expect(log[0]).toMatchObject({ command: 'copy', details: { options: { from: dataDir } } });
  expect(JSON.stringify(log)).not.toContain('postgres:');
  expectRefusal(await run(...copy), /^The target has companies/);

  await sql`truncate partners, companies cascade`.execute(served.db);
  const all = await list(...copy, '--with-demo');
  expect(all.copied).toMatchObject({ partners: 3, partner_tokens: 2 });
});

test('every table is copied but the version of the reference data', async () => {
  const { rows } = await sql<{ name: string }>`select table_name as name from information_schema.tables
    where table_schema = 'public' and table_name not like 'kysely%'`.execute(app.db);
  expect(rows.map(({ name }) => name).toSorted()).toEqual([...copiedTables, 'reference_version'].toSorted());
});
